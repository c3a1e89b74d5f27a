import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { platformDatabase } from '../../testing.js';
import { TokenSigner } from './token-signer.js';

const HOUR_MS = 60 * 60_000;
const [FIRST, SECOND] = ['first secret '.repeat(3), 'second secret '.repeat(3)];

let platform: Awaited<ReturnType<typeof platformDatabase>>;
beforeAll(async () => void (platform = await platformDatabase()), 60_000);
afterAll(() => platform.close());
beforeEach(() => platform.database.signingKey.deleteMany());

const open = (settings?: ConstructorParameters<typeof TokenSigner>[1]): TokenSigner =>
  new TokenSigner(platform.database, settings);

describe('a text', () => {
  test('is verified in every process, also in those that began at once', async () => {
    const signers = [open(), open(), open()];
    const texts = await Promise.all(signers.map((signer) => signer.sign('body')));
    expect(new Set(texts).size).toBe(1);
    expect(await open().verify(texts[0]!)).toBe('body');
    expect(await platform.database.signingKey.count()).toBe(1);
  });

  test('is refused when it is changed', async () => {
    const signer = open();
    const [body, id, signature] = (await signer.sign('body')).split('.') as [string, string, string];
    const forgeries = [
      `bodx.${id}.${signature}`,
      `${body}.${id}.${signature.slice(0, -1)}`,
      `${body}.unknown.${signature}`,
      `${body}.${id}.`,
      `.${id}.${signature}`,
      `${body}.${id}`,
      `${body}.${id}.${signature}.x`,
      '',
    ];
    for (const text of forgeries) expect(await signer.verify(text)).toBeUndefined();
  });
});

describe('a new secret', () => {
  test('signs at once, and the one before is valid for a while', async () => {
    const [signer, other] = [open(), open()];
    const before = await signer.sign('a');
    expect(await other.verify(before)).toBe('a');
    const { id, previousUntil } = await signer.rotate(HOUR_MS);
    expect(Math.abs(Date.parse(previousUntil) - Date.now() - HOUR_MS)).toBeLessThan(10_000);
    const after = await signer.sign('b');
    expect(after.split('.')[1]).toBe(id);
    expect(before.split('.')[1]).not.toBe(id);
    expect([await signer.verify(before), await signer.verify(after)]).toEqual(['a', 'b']);
    other.forget();
    expect([await other.verify(before), await other.verify(after)]).toEqual(['a', 'b']);
    expect((await other.sign('c')).split('.')[1]).toBe(id);
  });

  test('ends the one before at once', async () => {
    const signer = open();
    const before = await signer.sign('a');
    await signer.rotate(0);
    expect(await signer.verify(before)).toBeUndefined();
    expect(await open().verify(before)).toBeUndefined();
    expect(await signer.verify(await signer.sign('b'))).toBe('b');
  });

  test('prolongs no secret that ends earlier', async () => {
    const signer = open();
    const first = await signer.sign('a');
    await signer.rotate(1_500);
    await signer.rotate(HOUR_MS);
    expect(await signer.verify(first)).toBe('a');
    await new Promise((resolve) => setTimeout(resolve, 1_510));
    expect(await signer.verify(first)).toBeUndefined();
  });

  test('is found by a process that has not been told of it', async () => {
    const [signer, other] = [open(), open()];
    await other.sign('a');
    await signer.rotate(HOUR_MS);
    const text = await signer.sign('b');
    await new Promise((resolve) => setTimeout(resolve, 1_010));
    expect(await other.verify(text)).toBe('b');
  });

  test('is refused when too many are valid', async () => {
    const signer = open();
    await signer.sign('a');
    for (let i = 0; i < 10; i++) await signer.rotate(HOUR_MS);
    await expect(signer.rotate(HOUR_MS)).rejects.toMatchObject({
      status: 409,
      message: '11 earlier secrets are still valid: wait, or end them at once with previousFor 0s',
    });
    await signer.rotate(0);
    expect(await signer.verify(await signer.sign('b'))).toBe('b');
  });
});

describe('a secret from the environment', () => {
  test('takes the place of those in the database', async () => {
    const fromDatabase = await open().sign('a');
    const signer = open({ tokenSecret: FIRST });
    expect(await signer.verify(fromDatabase)).toBeUndefined();
    expect(await open({ tokenSecret: FIRST }).verify(await signer.sign('b'))).toBe('b');
    expect(await open().verify(await signer.sign('b'))).toBeUndefined();
  });

  test('is replaced while the one before is still valid', async () => {
    const before = await open({ tokenSecret: FIRST }).sign('a');
    const during = open({ tokenSecret: SECOND, tokenSecretPrevious: FIRST });
    expect(await during.verify(before)).toBe('a');
    expect(await open({ tokenSecret: SECOND }).verify(await during.sign('b'))).toBe('b');
    expect(await open({ tokenSecret: SECOND }).verify(before)).toBeUndefined();
  });

  test('is not replaced by a call', async () => {
    await expect(open({ tokenSecret: FIRST }).rotate(0)).rejects.toMatchObject({
      status: 409,
      message: 'the secret comes from TOKEN_SECRET: set a new one there, and the one before as TOKEN_SECRET_PREVIOUS',
    });
  });
});
