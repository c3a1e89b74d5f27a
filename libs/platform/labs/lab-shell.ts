import { setTimeout as sleep } from 'node:timers/promises';
import type { Readable } from 'node:stream';
import type { ClusterHost } from '@terrarium/host';
import { userOf } from '../identity/principal.js';
import { Refusal } from '../refusal.js';
import { scriptRequest, UPGRADE, type Place, type ScriptResult } from './run/script.js';

const MAX_OUTPUT = 64 * 1024;
const JSON_TYPE = 'application/json';

/** Clusters of the host, as their administrator asks and works in them. */
export class LabShell {
  constructor(private readonly host: Pick<ClusterHost, 'request' | 'session'>) {}

  /** Throws Refusal with the cluster's own words. */
  async call<T>(id: string, method: string, path: string, body?: object): Promise<T> {
    const response = await this.host.request(id, {
      method,
      path,
      query: '',
      headers: { accept: JSON_TYPE, 'content-type': JSON_TYPE },
      body: body && Buffer.from(JSON.stringify(body)),
      user: userOf({ scope: 'use' }),
    });
    if (response.type !== 'body') throw new Refusal(500, `${path} is no list`);
    const text = typeof response.body === 'string' ? response.body : Buffer.from(response.body).toString();
    const value = JSON.parse(text) as T & { message?: string };
    if (response.status >= 400) throw new Refusal(response.status, value.message ?? text);
    return value;
  }

  /** A script by the shell of the place; 124 when it has not ended after so many real ms. */
  async run(id: string, place: Place, script: string, timeoutMs: number): Promise<ScriptResult> {
    const user = userOf({ scope: 'use' });
    const opened = scriptRequest(place, script);
    const response = await this.host.request(id, { ...opened, method: 'GET', headers: UPGRADE, user });
    if (response.type !== 'session') return { code: 126, output: 'no shell opens: the cluster does not answer' };
    const { session, failure } = this.host.session(id, response);
    if (!session) return { code: 126, output: failure?.message ?? 'no shell opens' };
    const over = new AbortController();
    const output = collect([session.stdout, session.stderr]);
    // It only rejects when the script is over first, and then nobody waits for it.
    const timeout = sleep(timeoutMs, undefined, { signal: over.signal }).catch(() => undefined);
    const end = await Promise.race([session.end, timeout]);
    over.abort();
    session.close();
    if (end?.type === 'error') return { code: 126, output: end.error.message };
    return { code: end?.type === 'exit' ? end.code : 124, output: await output() };
  }
}

/** What comes from the streams, to a limit; the rest is read and forgotten, so that the program goes on. */
function collect(streams: readonly Readable[]): () => Promise<string> {
  let bytes = Buffer.alloc(0);
  for (const stream of streams)
    stream.on('data', (chunk: Buffer) => {
      if (bytes.length < MAX_OUTPUT) bytes = Buffer.concat([bytes, chunk]);
    });
  return async () => {
    // What was pushed last is read in the next round.
    await new Promise((resolve) => setImmediate(resolve));
    return bytes.subarray(0, MAX_OUTPUT).toString();
  };
}
