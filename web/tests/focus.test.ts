import { expect, test } from 'vitest';
import { keepsFocus } from '../src/lib/focus';

test('a card that cannot have the focus while it flies has it when it has landed', async () => {
  document.body.innerHTML =
    '<main><button id="gone">go</button><button data-card="7" aria-disabled="false" tabindex="0">7</button></main>';
  const room = document.querySelector('main');
  const card = document.querySelector<HTMLElement>('[data-card]');
  if (!room || !card) throw new Error('nothing is drawn');
  const stop = keepsFocus(room);
  const take = card.focus.bind(card);
  let flies = true;
  card.focus = () => {
    if (!flies) take();
  };
  document.getElementById('gone')?.focus();
  document.getElementById('gone')?.remove();
  await new Promise((done) => setTimeout(done, 150));
  expect(document.activeElement).toBe(document.body);
  flies = false;
  await expect.poll(() => document.activeElement).toBe(card);
  stop();
});

test('a button that may not be pressed any more gives the focus away before the browser takes it', async () => {
  document.body.innerHTML =
    '<main><button id="go">go</button><button data-card="7" aria-disabled="false" tabindex="0">7</button></main>';
  const room = document.querySelector('main');
  const go = document.querySelector<HTMLButtonElement>('#go');
  if (!room || !go) throw new Error('nothing is drawn');
  const stop = keepsFocus(room);
  go.focus();
  go.disabled = true; // nothing takes the focus from it here, a browser may take its time
  await expect.poll(() => document.activeElement?.getAttribute('data-card')).toBe('7');
  stop();
});

test('a focus that is lost although nothing changed on the page is found again', async () => {
  document.body.innerHTML =
    '<main><button id="go">go</button><button data-card="7" aria-disabled="false" tabindex="0">7</button></main>';
  const room = document.querySelector('main');
  if (!room) throw new Error('nothing is drawn');
  const stop = keepsFocus(room);
  const go = document.getElementById('go');
  go?.focus();
  go?.blur();
  await expect.poll(() => document.activeElement?.getAttribute('data-card')).toBe('7');
  stop();
});

test('who goes on to the next table goes on by keys', async () => {
  document.body.innerHTML = '<main><button id="again">Play again</button></main>';
  const stop = keepsFocus(document.body);
  document.getElementById('again')?.focus();
  stop();
  document.body.innerHTML =
    '<main><button data-card="7" aria-disabled="false" tabindex="0">7</button></main>';
  const leave = keepsFocus(document.body);
  await expect.poll(() => document.activeElement?.getAttribute('data-card')).toBe('7');
  leave();
});
