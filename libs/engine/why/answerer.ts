import { makeAccess } from '../machinery/requests/auth.js';
import type { Kind } from '../machinery/kind.js';
import type { KubeObject } from '../machinery/meta/object.js';
import type { TraceQuestion } from '../machinery/questions/trace.js';
import type { User } from '../machinery/requests/user.js';
import type { Answerer, WhyAnswer, WhyFinding, WhyQuestion } from '../machinery/questions/why.js';
import { AS_CREATED } from './origins.js';
import { chainOf, type CausalChain } from './chain.js';
import { endText, explainConnection } from './connection.js';
import { faultFindings, withClock } from './faults.js';
import { findKind, resourceOf } from './find-object.js';
import { explainMissing } from './missing.js';
import { namedMissing } from './named.js';
import { explainRequest } from './request.js';
import { answerText, isComponent } from './text.js';
import { refuserFindings } from './topics/refusals/refusals.js';
import { conditionFinding, conditionTypes, statedFindings } from './topics/conditions.js';
import { deletionFindings } from './topics/deletion.js';
import { topicOf } from './topics/index.js';
import { findingOf, revisionOf, unique, type WhyParts, type World } from './world.js';

const MAX_FINDINGS = 20;
const NO_CHAIN: CausalChain = { steps: [], ends: '' };

type ObjectQuestion = Extract<WhyQuestion, { type: 'object' }>;
type RequestQuestion = Extract<WhyQuestion, { type: 'request' }>;

/** Answers `why`: the plain reason of what is asked about at present, and the changes that led to it. */
export const answererOf =
  (parts: WhyParts): Answerer =>
  (question, asker, now) => {
    // Not copied: parts may be getters over the state.
    const explain: World['explain'] = (resource, object, depth) => topicOf(resource)(world, object, depth);
    const connection: World['connection'] = (question) => {
      const found = explainConnection(world, question);
      return typeof found === 'string' || found[0]?.reason === 'ConnectionDelivered' ? [] : found;
    };
    const world: World = Object.assign(Object.create(parts) as WhyParts, { now, explain, connection });
    switch (question.type) {
      case 'object':
        return explainObject(world, question, asker);
      case 'connection':
        return explainTrace(world, question.connection, asker);
      case 'request':
        return mayAskFor(world, asker, question.user)
          ? answer(requestFindings(world, question), NO_CHAIN)
          : `you may not ask for user "${question.user.name}": that needs the verb impersonate`;
      case 'revision':
        return explainRevision(world, question.revision);
    }
  };

/** Who asks about another user learns of that user's rights: so does who may impersonate. */
const mayAskFor = ({ auth }: World, asker: User, user: User): boolean =>
  user.name === asker.name ||
  auth.authorize(asker, makeAccess('impersonate', { resource: 'users', name: user.name })).allowed;

function requestFindings(world: World, { user, access, object }: RequestQuestion): WhyFinding[] {
  const own = explainRequest(world, user, access, object);
  const { namespace = '' } = access;
  return [own, ...refuserFindings(world, namespace, [own]), ...namedMissing(world, namespace, [own])];
}

function explainObject(world: World, question: ObjectQuestion, asker: User): WhyAnswer | string {
  const { resource, namespace, name, condition, before } = question;
  const kind = findKind(world, resource);
  if (!kind) return `the server doesn't have a resource type "${resource}"`;
  const where = kind.scope === 'Namespaced' ? namespace : '';
  const refused = refusal(world, kind, where, name, asker);
  if (refused) return refused;
  const object = world.read.get(kind, { namespace: where, name });
  if (!object) {
    const { finding, chain } = explainMissing(world, kind, where, name, before);
    return answer([finding], chain);
  }
  return condition === undefined
    ? explainPresent(world, kind, object, asker)
    : explainCondition(world, kind, object, condition);
}

/** The asker must be allowed to get what he asks about. */
function refusal(
  { auth }: World,
  { group, plural }: Kind,
  namespace: string,
  name: string,
  asker: User,
): string | undefined {
  const access = makeAccess('get', { group, resource: plural, namespace, name });
  if (auth.authorize(asker, access).allowed) return undefined;
  return `you may not get ${plural}${group ? `.${group}` : ''} "${name}"${namespace ? ` in the namespace "${namespace}"` : ''}`;
}

function explainPresent(world: World, kind: Kind, object: KubeObject, asker: User): WhyAnswer {
  const found = [...deletionFindings(world, object), ...topicOf(resourceOf(kind))(world, object, 0)];
  const own = found.length > 0 ? [...found, ...behindFindings(world, object, found)] : [wellFinding(object)];
  const findings = withClock(world, own);
  const faults = faultFindings(world, asker, findings);
  const chain = sinceFault(world, chainOf(world, startOf(object, findings[0]!)), faults[0]);
  return answer([...findings.slice(0, MAX_FINDINGS - faults.length), ...faults], chain);
}

/** What findings name: who has refused a write, and what is not there. */
function behindFindings(world: World, { kind, metadata }: KubeObject, found: readonly WhyFinding[]): WhyFinding[] {
  const { namespace = '', name = '' } = metadata;
  const where = kind === 'Namespace' ? name : namespace;
  return [...refuserFindings(world, where, found), ...namedMissing(world, namespace, found)];
}

/** What components do by themselves in a fault's time comes of the fault: nothing else has led to it. */
function sinceFault(world: World, chain: CausalChain, fault: WhyFinding | undefined): CausalChain {
  const [first] = chain.steps;
  if (!first || !isComponent(first.actor) || !fault?.revision || fault.revision > first.revision) return chain;
  return { steps: [...chainOf(world, fault.revision).steps, ...chain.steps], ends: '' };
}

/** The chain begins with the change that tells the reason; when that is only an event, with the object's own. */
const startOf = (object: KubeObject, { revision }: WhyFinding): number => revision ?? revisionOf(object);

const wellFinding = (object: KubeObject): WhyFinding =>
  findingOf(object, 'Well', 'nothing is wrong with it that its status, its events or its dependents tell');

function explainCondition(world: World, kind: Kind, object: KubeObject, type: string): WhyAnswer | string {
  const own = conditionFinding(object, type);
  if (!own) {
    const types = conditionTypes(object);
    return `it has no condition "${type}"${types.length > 0 ? `: it has ${types.join(', ')}` : ''}`;
  }
  const causes = topicOf(resourceOf(kind))(world, object, 0);
  const isStated = topicOf(resourceOf(kind)) === statedFindings;
  const found = isStated ? [own] : [own, ...causes];
  return answer([...found, ...behindFindings(world, object, found)], chainOf(world, revisionOf(object)));
}

function explainTrace(world: World, question: TraceQuestion, asker: User): WhyAnswer | string {
  const own = explainConnection(world, question);
  if (typeof own === 'string') return own;
  const findings = [...own, ...faultFindings(world, asker, [...own, ...endFindings(question)])];
  const revision = findings[0]?.revision;
  return answer(findings, revision === undefined ? NO_CHAIN : chainOf(world, revision));
}

/** The ends of a connection, as objects that a fault may act on. */
const endFindings = ({ from, to }: TraceQuestion): WhyFinding[] =>
  [from, to].map((end) => ({ object: endText(end), reason: '', message: '' }));

function explainRevision(world: World, revision: number): WhyAnswer | string {
  if (revision > world.read.revision)
    return `revision ${revision} is yet to come: the last one is ${world.read.revision}`;
  const chain = chainOf(world, revision);
  const last = chain.steps.at(-1);
  if (!last)
    return chain.ends.startsWith(AS_CREATED)
      ? `revision ${revision} is not in the log: ${chain.ends}`
      : `revision ${revision} is no longer retained`;
  const message =
    last.cause === 0 ? last.text : `${last.text}, because ${chain.steps.at(-2)?.text ?? `of ${last.cause}`}`;
  return answer([{ object: last.object, reason: 'Changed', message, revision }], chain);
}

function answer(found: readonly WhyFinding[], chain: CausalChain): WhyAnswer {
  const findings = unique(found).slice(0, MAX_FINDINGS);
  const [first] = findings;
  const { reason = '', message = '' } = first ?? {};
  const bare = { reason, message, findings, chain: chain.steps, chainEnds: chain.ends };
  return { ...bare, text: answerText(bare) };
}
