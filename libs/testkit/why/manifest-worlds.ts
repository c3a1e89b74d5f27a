import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { ApiRequest } from '../../engine/index.js';
import type { KubeObject } from '../../engine/machinery/meta/object.js';
import { ClusterBed } from '../beds/cluster-bed.js';
import { askWhy } from './ask.js';

const FOLDER = path.join(process.cwd(), 'libs/testkit/why/manifests');
const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

/** One step on the way to a broken world, or a question: a document of a world's file. */
type Step =
  | KubeObject
  /** Seconds that pass. */
  | { readonly wait: number }
  | { readonly patch: KubeObject; readonly body: object }
  | { readonly del: KubeObject; readonly options?: object }
  /** What is asked, and parts of the answer's reason and text; a leading '!' is what must not be in it. */
  | { readonly ask: { readonly resource?: string; readonly name?: string }; readonly says: readonly string[] };

export interface ManifestWorld {
  readonly title: string;
  readonly steps: readonly Step[];
}

/** The worlds of a file, each below a line '=== its title'. */
export function readWorlds(file: string): ManifestWorld[] {
  const [, ...parts] = readFileSync(path.join(FOLDER, file), 'utf8').split(/^=== /m);
  return parts.map((part) => {
    const end = part.indexOf('\n');
    const steps = parseAllDocuments(part.slice(end + 1)).map((document) => document.toJS() as Step);
    return { title: part.slice(0, end), steps };
  });
}

export interface Answered {
  /** '[Reason]' and the answer as a text. */
  readonly text: string;
  readonly says: readonly string[];
}

/** Builds a world in a new cluster and asks its questions on the way. Throws when a step is refused. */
export function runWorld({ steps }: ManifestWorld): Answered[] {
  const bed = new ClusterBed('instant', 2);
  let seconds = 0;
  return steps.flatMap((step): Answered[] => {
    if ('wait' in step) bed.at((seconds += step.wait));
    else if ('patch' in step) request(bed, 'PATCH', pathOf(bed, step.patch, true), step.body);
    else if ('del' in step) request(bed, 'DELETE', pathOf(bed, step.del, true), step.options);
    else if ('ask' in step) {
      const { reason, text } = askWhy(bed, step.ask);
      return [{ text: `[${reason}] ${text}`, says: step.says }];
    } else request(bed, 'POST', pathOf(bed, step, false), step);
    return [];
  });
}

function pathOf({ cluster }: ClusterBed, { apiVersion, kind, metadata }: KubeObject, isNamed: boolean): string {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const found = cluster.registry.all().find((one) => one.kind === kind && one.group === group && !one.storedAs);
  if (!found) throw new Error(`no kind ${apiVersion} ${kind}`);
  const root = group ? `/apis/${group}/${version}` : `/api/${version}`;
  const where = found.scope === 'Namespaced' ? `/namespaces/${metadata.namespace ?? 'default'}` : '';
  return `${root}${where}/${found.plural}${isNamed ? `/${metadata.name}` : ''}`;
}

function request({ cluster }: ClusterBed, method: string, place: string, object?: object): void {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const headers = { 'content-type': type, accept: 'application/json' };
  const body = Buffer.from(object ? JSON.stringify(object) : '');
  const asked: ApiRequest = { method, path: place, query: '', headers, body, user: ADMIN };
  const answer = cluster.handle(asked, cluster.state.now);
  if (answer.type === 'body' && answer.status >= 400) throw new Error(`${method} ${place}: ${String(answer.body)}`);
}
