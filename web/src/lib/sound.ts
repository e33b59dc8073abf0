/** A few small sounds, made as they are needed; off unless one switches them on. */
import { settings } from './settings.svelte';

export type Sound = 'lay' | 'turn' | 'take' | 'yours' | 'win';

let context: AudioContext | null = null;

/** Frequencies in Hz, one after the other, and seconds for each. */
const TUNES: Record<Sound, [number[], number, OscillatorType]> = {
  lay: [[220], 0.07, 'triangle'],
  turn: [[420, 520], 0.05, 'triangle'],
  take: [[196, 147, 110], 0.1, 'sawtooth'],
  yours: [[523, 659], 0.09, 'sine'],
  win: [[523, 659, 784, 1047], 0.13, 'triangle']
};

export function play(sound: Sound): void {
  if (!settings.kept.sound || typeof AudioContext !== 'function') return;
  const audio = (context ??= new AudioContext());
  const [notes, seconds, kind] = TUNES[sound];
  notes.forEach((note, at) => {
    const start = audio.currentTime + at * seconds;
    const tone = audio.createOscillator();
    const loud = audio.createGain();
    tone.type = kind;
    tone.frequency.value = note;
    loud.gain.setValueAtTime(0.0001, start);
    loud.gain.exponentialRampToValueAtTime(0.12, start + 0.012);
    loud.gain.exponentialRampToValueAtTime(0.0001, start + seconds * 1.6);
    tone.connect(loud).connect(audio.destination);
    tone.start(start);
    tone.stop(start + seconds * 1.7);
  });
}
