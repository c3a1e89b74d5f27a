import type { PastChange } from '../machinery/past-change.js';
import { microTimestamp } from '../machinery/time/time.js';
import type { WhyAnswer, WhyFinding, WhyStep } from '../machinery/questions/why.js';
import type { LeftOut } from './leave-out.js';
import { refText } from './world.js';

const ACCOUNT = 'system:serviceaccount:';
const NODE = 'system:node:';
const SYSTEM = 'system:';

/** 'deployment-controller', 'the kubelet of worker-1', 'service account shop/deployer', 'jane'. */
export function actorText(actor: string): string {
  if (actor.startsWith(NODE)) return `the kubelet of ${actor.slice(NODE.length)}`;
  if (actor.startsWith(`${ACCOUNT}kube-system:`)) return actor.slice(`${ACCOUNT}kube-system:`.length);
  if (actor.startsWith(ACCOUNT)) return `service account ${actor.slice(ACCOUNT.length).replace(':', '/')}`;
  return actor.startsWith(SYSTEM) ? actor.slice(SYSTEM.length) : actor;
}

export const isComponent = (actor: string): boolean => actor.startsWith(SYSTEM);

/** 'pod/shop/web' of a change; `singular` by its resource, where it is known. */
export const changedObject = ({ resource, namespace, name }: PastChange, singular?: string): string =>
  refText(singular ?? resource.split('.')[0]!, namespace, name);

const DONE: Readonly<Record<PastChange['verb'], string>> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
};

/** 'jane changed deployment/shop/web (spec)'. */
export function changeText(change: PastChange, singular?: string): string {
  const { actor, verb, fields, typed } = change;
  if (typed) return `${actorText(actor)} typed in ${typed.place}: ${typed.lines.join('; ')}`;
  const isMarked = fields.includes('metadata.deletionTimestamp');
  const did = isMarked ? 'asked to delete' : DONE[verb];
  const what = fields.length > 0 && !isMarked ? ` (${fields.join(', ')})` : '';
  return `${actorText(actor)} ${did} ${changedObject(change, singular)}${what}`;
}

const leftOutText = (count: LeftOut): string => {
  if (count === 0) return '';
  if (count === 'unknown') return ', after many steps that are left out';
  return count === 1 ? ', after a step that is left out' : `, after ${count} steps that are left out`;
};

/** `leftOut`: the changes before this one that an answer does not show. */
export const stepOf = (change: PastChange, singular?: string, leftOut: LeftOut = 0): WhyStep => ({
  revision: change.revision,
  at: microTimestamp(change.at),
  actor: change.actor,
  cause: change.cause,
  verb: change.typed ? 'type' : change.verb,
  object: change.typed?.place ?? changedObject(change, singular),
  fields: [...(change.typed?.lines ?? change.fields)],
  text: `${changeText(change, singular)}${leftOutText(leftOut)}`,
});

/** The whole answer, to be read. */
export function answerText({ message, findings, chain, chainEnds }: Omit<WhyAnswer, 'text'>): string {
  const lines = [message];
  const [first, ...others] = findings;
  for (const detail of first?.details ?? []) lines.push(`  ${detail}`);
  for (const finding of others) lines.push(...findingLines(finding));
  if (chain.length > 0) lines.push('', 'How it came about:');
  if (chainEnds) lines.push(`  ... ${chainEnds}`);
  for (const { revision, at, text, cause } of chain)
    lines.push(`  ${revision} ${at.slice(0, 19)}Z ${text}${cause ? `, because of ${cause}` : ''}`);
  return `${lines.join('\n')}\n`;
}

const findingLines = ({ object, reason, message, details = [] }: WhyFinding): string[] => [
  `${object}: ${reason}: ${message}`,
  ...details.map((detail) => `  ${detail}`),
];
