import { type Bytes, bytesOf, textOf } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { readSmallFile } from '../../accounts.js';
import type { Parsed } from '../flags/flags.js';
import type { ServerResource } from '../discovery/resources.js';
import type { ClientConfig } from './config.js';
import { ApiFailure, KubectlFailure, PlainFailure, type StatusBody } from './failure.js';
import type { Answer, ChildRequest, ListenRequest, StreamRequest } from './task.js';
import { writeWholeFile } from '../../whole-file.js';

/** A request to the API server. */
export type ApiCall = {
  readonly method: string;
  readonly path: string;
  readonly accept: string;
  readonly contentType: string;
  readonly body: string;
  /** A URL of the web, in place of the API server's. */
  readonly web?: string;
  /** ms until such a request is given up. */
  readonly timeout?: number;
  /** Whatever certificate the server has. */
  readonly trustsAll?: boolean;
  /** It asks for a session: exec, attach, port-forward. */
  readonly isUpgrade?: boolean;
};

/** The task cannot go on without this answer. */
export class AnswerNeeded extends Error {
  constructor(readonly call: ApiCall) {
    super('an answer is needed');
  }
}
/** The task cannot go on without the end of standard input. */
export class StdinNeeded extends Error {}

export type KubeJson = { [field: string]: unknown };

/** An object of the API, as far as every one of them has it. */
export interface ApiObject extends KubeJson {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta;
}

export interface ObjectMeta extends KubeJson {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly { readonly kind: string; readonly name: string; readonly controller?: boolean }[];
}

export interface SessionParts {
  readonly sys: Syscalls;
  readonly parsed: Parsed;
  /** `kubectl create deployment`. */
  readonly path: string;
  readonly config: ClientConfig;
  readonly answers: readonly Answer[];
  readonly stdin: string | undefined;
  readonly resources: readonly ServerResource[] | undefined;
  /** The exit code of the tasks before. */
  readonly codeBefore: number;
  /** When the task began: its requests stay the same when it runs again. */
  readonly startedAt: number;
}

const JSON_TYPE = 'application/json';
const MAX_REDIRECTS = 10;
/** Requests of one task. */
const MAX_CALLS = 300;

/**
 * What a command works with. A task is a function that runs from its beginning again whenever an answer has come: what
 * it has asked before is answered from memory, and what it prints counts only when it has come to its end.
 */
export class Session {
  output: { readonly descriptor: 1 | 2; readonly text: string }[] = [];
  /** The exit code so far. */
  code = 0;
  /** A program that has the terminal until it ends, and the task after it. */
  child: ChildRequest | undefined;
  /** Ports that kubectl listens on from now on. */
  listening: ListenRequest | undefined;
  /** What the command goes on as, when it has come to its end. */
  stream: StreamRequest | undefined;
  /** What the server serves has changed: the next task asks anew. */
  forgetsResources = false;
  private next = 0;

  private readonly warned = new Set<string>();

  constructor(private readonly parts: SessionParts) {}

  get flags(): Parsed['flags'] {
    return this.parts.parsed.flags;
  }
  get args(): readonly string[] {
    return this.parts.parsed.args;
  }
  get dashAt(): number {
    return this.parts.parsed.dashAt;
  }
  get path(): string {
    return this.parts.path;
  }
  get config(): ClientConfig {
    return this.parts.config;
  }
  get sys(): Syscalls {
    return this.parts.sys;
  }
  /** A task before this one has failed. */
  get hasFailed(): boolean {
    return this.parts.codeBefore !== 0;
  }
  /** Virtual ms. */
  get now(): number {
    return this.parts.startedAt;
  }
  get namespace(): string {
    return this.flags.value('namespace') || this.config.namespace;
  }
  /** What the server serves. It is asked at the first use. */
  get resources(): readonly ServerResource[] {
    if (this.parts.resources === undefined) throw new DiscoveryNeeded();
    return this.parts.resources;
  }

  out(text: string): void {
    this.output.push({ descriptor: 1, text });
  }
  err(text: string): void {
    this.output.push({ descriptor: 2, text });
  }

  /** What the server warns of, each text once. Models rest.NewWarningWriter. */
  private warn(texts: readonly string[]): void {
    for (const text of texts) {
      if (this.warned.has(text)) continue;
      this.warned.add(text);
      this.err(`Warning: ${text}\n`);
    }
  }

  /** The server's answer, whatever it is. */
  call(call: Partial<ApiCall> & Pick<ApiCall, 'path'>): Answer {
    const known = this.parts.answers[this.next++];
    if (known !== undefined) {
      this.warn(known.warnings ?? []);
      return known;
    }
    if (this.next > MAX_CALLS) throw new KubectlFailure(`too many requests for one command (${MAX_CALLS})`);
    throw new AnswerNeeded({ method: 'GET', accept: JSON_TYPE, contentType: '', body: '', ...call });
  }

  /** An object, or a list. Throws ApiFailure. */
  get(path: string, accept = JSON_TYPE): ApiObject {
    return readAnswer(this.call({ path, accept }));
  }
  /** Undefined when it is not there. Throws ApiFailure for other refusals. */
  find(path: string): ApiObject | undefined {
    const answer = this.call({ path });
    return answer.status === 404 ? undefined : readAnswer(answer);
  }
  post(path: string, body: unknown): ApiObject {
    return this.send('POST', path, body, JSON_TYPE);
  }
  /** Creates an object of a file, perhaps an exported one. Models k8s.io/cli-runtime/pkg/resource Helper.Create. */
  create(path: string, object: ApiObject): ApiObject {
    if (object.metadata?.resourceVersion === undefined) return this.post(path, object);
    const { resourceVersion: _old, ...metadata } = object.metadata;
    return this.post(path, { ...object, metadata });
  }
  put(path: string, body: unknown): ApiObject {
    return this.send('PUT', path, body, JSON_TYPE);
  }
  patch(path: string, body: unknown, type: 'merge' | 'strategic' | 'json' = 'merge'): ApiObject {
    return this.send('PATCH', path, body, PATCH_TYPES[type]);
  }
  send(method: string, path: string, body: unknown, contentType: string): ApiObject {
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
    return readAnswer(this.call({ method, path, body: text, contentType: text === '' ? '' : contentType }));
  }

  /**
   * A file of the web; its redirections are followed. `status` 0: it cannot be reached, since the network of the
   * cluster is closed but for files that an author has put there.
   */
  fetchUrl(url: string): { readonly status: number; readonly bytes: Bytes } {
    let next = url;
    for (let left = MAX_REDIRECTS; ; left--) {
      const { status, bytes = '', location } = this.call({ path: '', accept: '*/*', web: next });
      if (location === undefined || left === 0) return { status, bytes };
      next = location;
    }
  }

  /** Standard input to its end. */
  stdin(): string {
    if (this.parts.stdin === undefined) throw new StdinNeeded();
    return this.parts.stdin;
  }

  /** A file's text. Throws KubectlFailure. */
  readFile(path: string): string {
    try {
      this.sys.close(this.sys.open(path, { read: true }));
      return textOf(readSmallFile(this.sys, path));
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      throw new KubectlFailure(
        error.code === 'ENOENT'
          ? `the path "${path}" does not exist`
          : `the path "${path}" cannot be accessed: open ${path}: ${error.message.toLowerCase()}`,
      );
    }
  }
}

/** Writes a text anew, for its user alone. Throws SystemError. */
export const writeText = ({ sys }: Pick<Session, 'sys'>, path: string, text: string): void =>
  writeWholeFile(sys, path, bytesOf(text), { mode: 0o600 });

export const PATCH_TYPES = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** The task needs to know what the server serves. */
export class DiscoveryNeeded extends Error {}

/** Throws ApiFailure for a refusal. */
export function readAnswer({ status, body, failure }: Answer): ApiObject {
  if (failure !== undefined) throw new PlainFailure(failure);
  if (status < 400) return body === '' ? {} : readObject(body);
  throw new ApiFailure(status, readStatus(body));
}

function readObject(body: string): ApiObject {
  try {
    return JSON.parse(body) as ApiObject;
  } catch {
    throw new KubectlFailure(`couldn't get version/kind; json parse error: invalid character in the server's answer`);
  }
}

function readStatus(body: string): StatusBody {
  try {
    const found = JSON.parse(body) as StatusBody | null;
    return typeof found === 'object' && found !== null ? found : { message: body.trim() };
  } catch {
    return { message: body.trim() };
  }
}
