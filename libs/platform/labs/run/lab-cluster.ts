import { catalog } from '@terrarium/containers';
import {
  Cluster,
  ClusterKeys,
  makeTemplate,
  parseVersion,
  shiftCheckpoint,
  templateKey,
  withoutAuthority,
  DEFAULT_VERSION,
  type ApiResponse,
  type CheckpointState,
  type SessionReference,
  type TemplateOptions,
  type User,
} from '@terrarium/engine';
import { LRUCache } from 'lru-cache';
import { scriptRequest, toText, UPGRADE, type Place, type ScriptResult } from './script.js';

const ADMIN: User = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
/** Nobody logs into it, and who goes on from it has a key of its own. */
const KEY = 'lab';
const MAX_OUTPUT = 64 * 1024;
/** Virtual ms between two looks at a script that waits for something that no timer tells. */
const LOOK_MS = 100;
const SECOND_MS = 1_000;
/** Changes of one slice of an Advance. */
const SLICE_CHANGES = 200;

export interface LabClusterOptions {
  readonly seed: string;
  readonly template: TemplateOptions;
  /** Real ms: where its time begins. */
  readonly now: number;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A test makes one cluster after another of one lab. */
// oxlint-disable-next-line house/no-module-state -- what is equal for all clusters of equal settings
const templates = new LRUCache<string, CheckpointState>({ max: 4 });

function templateOf(template: TemplateOptions): CheckpointState {
  const key = templateKey(template, DEFAULT_VERSION);
  const known = templates.get(key) ?? makeTemplate(template, catalog);
  templates.set(key, known);
  return known;
}

/**
 * A whole cluster in this process's memory, in virtual time: labs are prepared and tried in one. What is asked of it is
 * asked at its present time, which goes on by `advance` and while a script runs.
 */
export class LabCluster {
  private readonly cluster: Cluster;

  constructor(private readonly options: LabClusterOptions) {
    const { seed, template, now } = options;
    const state = templateOf(template);
    this.cluster = new Cluster({
      seed,
      images: catalog,
      tokenKey: KEY,
      version: parseVersion(template.names?.version ?? ''),
    });
    this.cluster.load(shiftCheckpoint(state, Math.floor((now - state.now) / SECOND_MS) * SECOND_MS));
    this.cluster.advance(this.now);
  }

  /** Virtual ms. */
  get now(): number {
    return this.cluster.state.now;
  }

  get controlPlane(): string {
    return this.options.template.names?.controlPlane ?? 'control-plane';
  }

  /** Whether the API server answers: a lab may be about one that does not. */
  get isServing(): boolean {
    return this.call('GET', '/apis').status < 400;
  }

  /** For clusters with a certificate authority of their own. */
  checkpoint(): CheckpointState {
    return withoutAuthority(this.cluster.checkpoint(), new ClusterKeys(KEY).authority.pem);
  }

  call(method: string, path: string, body?: unknown, query = ''): Answer {
    const headers = { accept: 'application/json', 'content-type': contentType(method) };
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const request = { method, path, query, headers, body: bytes, user: ADMIN };
    const response = this.cluster.handle(request, this.now, this.options.now);
    if (response.type !== 'body') throw new Error(`${method} ${path} is answered by a ${response.type}`);
    return { status: response.status, body: parseBody(response.body) };
  }

  /** Lets so many virtual ms go by, slice by slice. */
  *advancing(ms: number): Generator<void> {
    const until = this.now + ms;
    while (!this.cluster.advance(until, SLICE_CHANGES).settled) yield;
    this.cluster.state.now = Math.max(this.now, until);
  }

  advance(ms: number): void {
    drive(this.advancing(ms));
  }

  /** A slice of an Advance; true when there is nothing more to do. */
  advanceFreely(): boolean {
    return this.cluster.advanceAt(this.options.now, SLICE_CHANGES).settled;
  }

  run(place: Place, script: string, timeoutMs: number): ScriptResult {
    return drive(this.running(place, script, timeoutMs));
  }

  /** A script; its code is 124, as of timeout(1), when it has not ended after so many virtual ms. */
  *running(place: Place, script: string, timeoutMs: number): Generator<void, ScriptResult> {
    const opened = scriptRequest(place, script);
    const request = { ...opened, method: 'GET', headers: UPGRADE, body: undefined, user: ADMIN };
    const response = this.cluster.handle(request, this.now, this.options.now);
    if (response.type === 'session' && response.opened.session)
      return yield* this.follow(response.opened.session, this.now + timeoutMs);
    const failure = response.type === 'session' ? response.opened.failure : parseBody(bodyOf(response));
    return { code: 126, output: String((failure as { message?: unknown } | undefined)?.message ?? 'no shell opens') };
  }

  /** A script of the control plane's node, where kubectl is the administrator's. */
  runHere(script: string, timeoutMs: number): ScriptResult {
    return this.run({ node: this.controlPlane }, script, timeoutMs);
  }

  private *follow(session: SessionReference, end: number): Generator<void, ScriptResult> {
    let output = '';
    const position = { stdoutFrom: 0, stderrFrom: 0 };
    for (;;) {
      const read = this.cluster.readSession(session, position, this.now);
      position.stdoutFrom = (read.stdoutFrom ?? position.stdoutFrom) + read.stdout.length;
      position.stderrFrom = (read.stderrFrom ?? position.stderrFrom) + read.stderr.length;
      if (output.length < MAX_OUTPUT) output += read.stdout + read.stderr;
      const isOver = read.exit !== undefined || this.now >= end;
      if (isOver || read.waits) this.send(session, position, isOver);
      if (isOver) return { code: read.exit?.code ?? 124, output: toText(output.slice(0, MAX_OUTPUT)) };
      if (!read.waits) yield* this.advancing(Math.max(1, Math.min(read.wakeAt ?? this.now + LOOK_MS, end) - this.now));
      yield;
    }
  }

  private send(session: SessionReference, at: { stdoutFrom: number; stderrFrom: number }, hangUp: boolean): void {
    const received = { stdout: at.stdoutFrom, stderr: at.stderrFrom };
    const input = hangUp ? { received, hangUp } : { received };
    for (let left = 1_000; left > 0; left--)
      if (this.cluster.handleSession({ type: 'input', session, input }, this.now).type !== 'unfinished') return;
  }
}

const bodyOf = (response: ApiResponse): string | Uint8Array => (response.type === 'body' ? response.body : '');

const contentType = (method: string): string =>
  method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';

function parseBody(body: string | Uint8Array): unknown {
  const text = typeof body === 'string' ? body : Buffer.from(body).toString();
  try {
    return JSON.parse(text);
  } catch {
    // It is text, as of a log.
    return text;
  }
}

/** All of it at once. */
export function drive<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
