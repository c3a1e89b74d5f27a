import { bytesOf, textOf, type Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import type { AppliedChange } from '../../../engine/machinery/requests/http.js';
import type { KubeObject } from '../../../engine/machinery/meta/object.js';
import { decodeBase64Text, encodeBase64 } from '../../../engine/machinery/text/base64.js';
import type { Millis } from '../../../engine/machinery/time/time.js';
import { continueDial, dial, isWholeAnswer, readAnswer, type Dial } from '../dial.js';
import { addressOf } from '../etcd/flags.js';
import { errnoText } from '../go.js';
import { lookUp } from '../lookup.js';
import type { Waits } from '../serve.js';
import type { Contents, Held } from './api.js';
import { GROUP } from './kinds.js';

/** Where the server keeps its objects, as the real one's --etcd-prefix and its resources' prefixes say. */
const ROOT = `/registry/${GROUP}/`;
const TIMEOUT: Millis = 5_000;

/** A question to etcd, as data. */
export type Question = { readonly path: string; readonly body: string };

type KeyValue = { readonly key: string; readonly value?: string; readonly mod_revision: string };
type Answered = {
  readonly header?: { readonly revision?: string };
  readonly kvs?: readonly KeyValue[];
  readonly succeeded?: boolean;
};

/** What came of a question: etcd's answer, or why there is none, or what it waits for. */
export type Told = { readonly answer: Answered } | { readonly error: string } | { readonly wait: Waits };

const keyOf = ({ resource, namespace, name }: Pick<AppliedChange, 'resource' | 'namespace' | 'name'>): string => {
  const [plural = ''] = resource.split('.', 1);
  return `${ROOT}${GROUP}/${plural}/${namespace === '' ? '' : `${namespace}/`}${name}`;
};

export const askAll = (): Question => ({
  path: '/v3/kv/range',
  // '0' follows '/'.
  body: JSON.stringify({ key: encodeBase64(ROOT), range_end: encodeBase64(`${ROOT.slice(0, -1)}0`) }),
});

/** Writes one change when nobody else has written the object meanwhile. */
export function askToStore(change: AppliedChange): Question {
  const key = encodeBase64(keyOf(change));
  const { resourceVersion: _own, ...metadata } = change.object.metadata;
  const before = change.old?.metadata.resourceVersion ?? '0';
  const write =
    change.type === 'put'
      ? { request_put: { key, value: encodeBase64(JSON.stringify({ ...change.object, metadata })) } }
      : { request_delete_range: { key } };
  const compare = [{ key, target: 'MOD', result: 'EQUAL', mod_revision: before }];
  return { path: '/v3/kv/txn', body: JSON.stringify({ compare, success: [write] }) };
}

/** The objects of an answer to `askAll`. */
export function readAll({ header, kvs = [] }: Answered): Contents {
  const objects = kvs.flatMap(({ key, value = '', mod_revision }): Held[] => {
    const [plural] = decodeBase64Text(key).slice(`${ROOT}${GROUP}/`.length).split('/', 1);
    const object = parse(decodeBase64Text(value));
    if (!object) return [];
    const metadata = { ...object.metadata, resourceVersion: mod_revision };
    return [{ resource: `${plural}.${GROUP}`, object: { ...object, metadata } }];
  });
  return { revision: Number(header?.revision ?? 1), objects };
}

function parse(text: string): KubeObject | undefined {
  try {
    const value = JSON.parse(text) as KubeObject | null;
    return value?.metadata ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Asks etcd, or goes on asking it: `task.dial` is the question under way. */
export function tell(sys: Syscalls, server: string, question: Question, task: { dial: Dial | null }): Told {
  const { address, port } = addressOf(server);
  const refused = (why: string): Told => ({ error: `dial tcp ${address}:${port}: connect: ${why}` });
  try {
    if (task.dial === null) {
      const [found] = lookUp(sys, bytesOf(address)).addresses;
      if (found === undefined) return { error: `dial tcp: lookup ${address}: no such host` };
      task.dial = dial(sys, found, port, 'tcp', formatQuestion(address, port, question), TIMEOUT);
    }
    const outcome = continueDial(sys, task.dial, isWholeAnswer);
    if ('wait' in outcome) return outcome;
    task.dial = null;
    if ('error' in outcome)
      return outcome.error === 'TIMEOUT'
        ? { error: `dial tcp ${address}:${port}: i/o timeout` }
        : refused(errnoText(new SystemError(outcome.error)));
    return readTold(outcome.received);
  } catch (error) {
    task.dial = null;
    return refused(errnoText(error));
  }
}

function readTold(received: Bytes): Told {
  const answer = readAnswer(received);
  if (!answer) return { error: 'error reading server preface: EOF' };
  try {
    const body = JSON.parse(textOf(answer.body)) as Answered & { readonly message?: string };
    return answer.status === 200 ? { answer: body } : { error: String(body.message) };
  } catch {
    return { error: 'error reading server preface: http2: frame too large' };
  }
}

function formatQuestion(address: string, port: number, { path, body }: Question): Bytes {
  const bytes = bytesOf(body);
  const lines = ['Content-Type: application/json', `Content-Length: ${bytes.length}`, 'Connection: close'];
  return `POST ${path} HTTP/1.1\r\nHost: ${bytesOf(address)}:${port}\r\n${lines.join('\r\n')}\r\n\r\n${bytes}`;
}
