import fs from 'node:fs';
import path from 'node:path';
import { catalog } from '@terrarium/containers';
import {
  BEHAVIOUR_VERSION,
  Cluster,
  type ApiRequest,
  type ApiResponse,
  type AskingRequest,
  type OutsideResponse,
  type TemplateOptions,
} from '@terrarium/engine';
import { checkpointFor } from './checkpoints.js';
import {
  formatRecording,
  RECORDINGS,
  toRecordedRequest,
  type Header,
  type Input,
  type Recording,
} from './recording.js';
import { replay } from './replay.js';

/** Virtual time at which recordings start, unless what is recorded knows the real time. */
export const START = Date.UTC(2026, 5, 1);

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A cluster that writes down its inputs: what has run on it once can be replayed. */
export class RecordedCluster extends Cluster {
  private readonly inputs: Input[] = [];

  private constructor(private readonly header: Header) {
    super({ seed: header.seed, images: catalog, strict: true, tokenKey: header.tokenKey });
  }

  /** A new cluster, on its template's checkpoint. */
  static start(seed: string, template: TemplateOptions, tokenKey?: string, start = START): RecordedCluster {
    const header = { behaviour: BEHAVIOUR_VERSION, seed, ...(tokenKey ? { tokenKey } : {}), template, start };
    const cluster = new RecordedCluster(header);
    cluster.load(checkpointFor(header));
    return cluster;
  }

  override handle(request: AskingRequest, now: number): ApiResponse | OutsideResponse;
  override handle(request: ApiRequest, now: number): ApiResponse;
  override handle(request: ApiRequest | AskingRequest, now: number): ApiResponse | OutsideResponse {
    if (!READS.has(request.method)) this.note({ at: now - this.header.start, request: toRecordedRequest(request) });
    return super.handle(request as AskingRequest, now);
  }

  override advance(until: number, maxChanges?: number): ReturnType<Cluster['advance']> {
    this.note({ at: until - this.header.start });
    return super.advance(until, maxChanges);
  }

  private note(input: Input): void {
    const last = this.inputs.at(-1);
    // Time that has come already comes no second time.
    if (last && !last.request && !input.request && last.at === input.at) return;
    this.inputs.push(input);
  }

  toRecording(): Recording {
    return { header: this.header, inputs: this.inputs };
  }

  /** Writes the inputs, and the log that a replay of them gives, as `recordings/<name>`. */
  save(name: string): void {
    const recording = this.toRecording();
    const changes = replay(recording);
    // A transcript that only reads has nothing to compare.
    if (changes.length === 0) return;
    fs.writeFileSync(path.join(RECORDINGS, `${name}.jsonl`), formatRecording(recording));
    fs.writeFileSync(path.join(RECORDINGS, `${name}.changes`), `${changes.join('\n')}\n`);
  }
}
