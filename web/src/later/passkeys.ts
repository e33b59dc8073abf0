/** Passkeys: making one, and coming back by one.  What goes to the browser's authenticator and back is bytes; on the
 *  wire it is base64url. */
import { ask } from '../lib/api';
import type { Player } from '../lib/mine';
import { speakerOf } from './words';
import type { words as english } from './words/passkeys.en';

export interface Passkey {
  number: number;
  created: number;
  used: number | null;
}
interface Descriptor {
  id: string;
  type: 'public-key';
}
interface Creation {
  challenge: string;
  rp: PublicKeyCredentialRpEntity;
  user: { id: string; name: string; displayName: string };
  pubKeyCredParams: PublicKeyCredentialParameters[];
  timeout: number;
  excludeCredentials?: Descriptor[];
  authenticatorSelection?: AuthenticatorSelectionCriteria;
  attestation?: AttestationConveyancePreference;
}
interface Request {
  challenge: string;
  rpId: string;
  timeout: number;
  userVerification?: UserVerificationRequirement;
}

/** Why there are none here; empty where there are. */
export function whyNot(): '' | 'not_safe' | 'no_name' | 'not_known' {
  if (/^(\d+\.){3}\d+$|^\[/.test(location.hostname)) return 'no_name';
  if (!isSecureContext) return 'not_safe';
  return 'PublicKeyCredential' in window ? '' : 'not_known';
}

export const bytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (one) => one.charCodeAt(0));
export const text = (data: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(data)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');

function written(found: Credential | null, response: Record<string, ArrayBuffer | null>) {
  const { id, rawId, type } = found as PublicKeyCredential;
  const said = Object.entries(response).flatMap(([name, data]) =>
    data ? [[name, text(data)]] : []
  );
  const told = Object.fromEntries(said) as Record<string, string>;
  return { credential: { id, rawId: text(rawId), type, response: told } };
}

export const own = () => ask<Passkey[]>('/me/passkeys');
export const remove = (number: number) =>
  ask<Passkey[]>(`/me/passkeys/own/${number}`, undefined, 'DELETE');

export async function add(): Promise<Passkey[]> {
  const options = await ask<Creation>('/me/passkeys/new', undefined, 'POST');
  const { challenge, user, excludeCredentials = [] } = options;
  const publicKey: PublicKeyCredentialCreationOptions = {
    ...options,
    challenge: bytes(challenge),
    user: { ...user, id: bytes(user.id) },
    excludeCredentials: excludeCredentials.map((one) => ({ ...one, id: bytes(one.id) }))
  };
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  const { clientDataJSON, attestationObject } = made.response as AuthenticatorAttestationResponse;
  return ask<Passkey[]>('/me/passkeys', written(made, { clientDataJSON, attestationObject }));
}

export async function use(): Promise<Player> {
  const options = await ask<Request>('/me/passkeys/ask', undefined, 'POST');
  const publicKey = { ...options, challenge: bytes(options.challenge), allowCredentials: [] };
  const found = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  const { clientDataJSON, authenticatorData, signature, userHandle } =
    found.response as AuthenticatorAssertionResponse;
  const said = { clientDataJSON, authenticatorData, signature, userHandle };
  return ask<Player>('/me/passkeys/use', written(found, said));
}

/** The person has closed the browser's own window, or it took too long: nothing to complain about. */
export const isCancelled = (refusal: unknown): boolean =>
  refusal instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(refusal.name);

const WORDS = import.meta.glob<{ words: Partial<typeof english> }>('./words/passkeys.*.ts');
export const sayer = (language: string) => speakerOf<typeof english>(WORDS, language);
export type Say = Awaited<ReturnType<typeof sayer>>;
