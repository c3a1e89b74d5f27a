import type { Timeline, WhyAnswer } from '../../engine/machinery/questions/why.js';
import type { User } from '../../engine/machinery/requests/user.js';
import type { ClusterBed } from '../beds/cluster-bed.js';

const ADMIN: User = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

/** The answer to a question, by the API. Throws an Error with the Status' message when it is refused. */
export const askWhy = (bed: ClusterBed, spec: object, user = ADMIN): WhyAnswer =>
  ask(bed, 'Why', 'whys', spec, user) as WhyAnswer;

export const askTimeline = (bed: ClusterBed, spec: object, user = ADMIN): Timeline =>
  ask(bed, 'Timeline', 'timelines', spec, user) as Timeline;

function ask({ cluster }: ClusterBed, kind: string, plural: string, spec: object, user: User): unknown {
  const body = Buffer.from(JSON.stringify({ apiVersion: 'terrarium.dev/v1alpha1', kind, spec }));
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const path = `/apis/terrarium.dev/v1alpha1/${plural}`;
  const answer = cluster.handle({ method: 'POST', path, query: '', headers, body, user }, cluster.state.now);
  if (answer.type !== 'body') throw new Error(`the answer is a ${answer.type}`);
  const { status, message } = JSON.parse(String(answer.body)) as { status: unknown; message?: string };
  if (answer.status >= 400) throw new Error(message);
  return status;
}
