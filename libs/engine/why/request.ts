import type { ResourceRule } from '../api/authorization_v1.js';
import type { Access } from '../machinery/requests/auth.js';
import type { KubeObject } from '../machinery/meta/object.js';
import type { User } from '../machinery/requests/user.js';
import type { WhyFinding } from '../machinery/questions/why.js';
import { grantedElsewhere, grantedToOthers } from './request-bindings.js';
import type { World } from './world.js';

const MAX_RULES = 10;

/** Who has said no to a write, by the words that it uses. */
const REFUSERS: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/exceeded quota|failed quota/, 'QuotaExceeded'],
  [/admission webhook|failed calling webhook/, 'AdmissionWebhook'],
  [/ValidatingAdmissionPolicy/, 'ValidatingAdmissionPolicy'],
  [/violates PodSecurity/, 'PodSecurity'],
  [/(minimum|maximum) .* usage per|limit to request ratio/, 'LimitRange'],
  [/is being terminated/, 'NamespaceTerminating'],
  [/already exists/, 'AlreadyExists'],
  [/field is immutable/, 'Immutable'],
  [/is invalid:/, 'Invalid'],
  [/not found$/, 'NotFound'],
];

/** Why a request is refused: the rule that is missing, or, with an object, what admission says of it. */
export function explainRequest(world: World, user: User, access: Access, object: KubeObject | undefined): WhyFinding {
  const decision = world.auth.authorize(user, access);
  const asked = `user "${user.name}" may not ${accessText(access)}`;
  const subject = `user/${user.name}`;
  if (!decision.allowed) {
    const missing = `no role that binds the user grants ${ruleText(access)}`;
    const own = decision.reason ? `: ${decision.reason}` : '';
    return {
      object: subject,
      reason: 'Forbidden',
      message: `${asked}: ${missing}${own}`,
      details: nearRules(world, user, access),
    };
  }
  const allowed = decision.reason ?? 'a superuser is allowed everything';
  const refused = object && world.tryWrite(user, access.verb === 'update' ? 'update' : 'create', object, world.now);
  if (refused === undefined) {
    const tried = object ? ', and nothing in admission refuses it' : '';
    return {
      object: subject,
      reason: 'Allowed',
      message: `user "${user.name}" may ${accessText(access)}${tried}`,
      details: [allowed],
    };
  }
  const reason = REFUSERS.find(([pattern]) => pattern.test(refused))?.[1] ?? 'Refused';
  return { object: subject, reason, message: refused, details: [allowed] };
}

/** 'delete resource "pods" in API group "" in the namespace "shop"', as the authorizer's own message. */
function accessText({ verb, path, group, resource, subresource, namespace }: Access): string {
  if (path !== undefined) return `${verb} path "${path}"`;
  const what = subresource ? `${resource}/${subresource}` : resource;
  const where = namespace ? ` in the namespace "${namespace}"` : ' at the cluster scope';
  return `${verb} resource "${what}" in API group "${group}"${where}`;
}

function ruleText({ verb, path, group, resource, subresource, name }: Access): string {
  if (path !== undefined) return `{NonResourceURLs:["${path}"], Verbs:["${verb}"]}`;
  const what = subresource ? `${resource}/${subresource}` : resource;
  const names = name ? ` (or with ResourceNames:["${name}"])` : '';
  return `{APIGroups:["${group}"], Resources:["${what}"], Verbs:["${verb}"]}${names}`;
}

/** The user's rules about the same resource, which lack the verb, the name or the group. */
function nearRules(world: World, user: User, asked: Access): string[] {
  const { auth } = world;
  const { namespace, resource, group } = asked;
  const isNear = ({ resources = [], apiGroups = [] }: ResourceRule): boolean =>
    resources.some((one) => one === '*' || one.split('/')[0] === resource) ||
    (apiGroups.includes(group) && resources.includes('*'));
  const near = auth.rulesFor(user, namespace).resourceRules.filter(isNear);
  const elsewhere = grantedElsewhere(world, user, asked);
  if (near.length === 0)
    return ['no rule of the user names this resource', ...elsewhere, ...grantedToOthers(world, asked)];
  const { subresource } = asked;
  const own = subresource
    ? [`${resource}/${subresource} is a resource of its own: a rule for ${resource} alone does not grant it`]
    : [];
  return [...near.slice(0, MAX_RULES).map((rule) => `there is ${describe(rule)}`), ...own, ...elsewhere];
}

function describe({ verbs, apiGroups = [], resources = [], resourceNames }: ResourceRule): string {
  const names = resourceNames ? `, ResourceNames:${JSON.stringify(resourceNames)}` : '';
  return `{APIGroups:${JSON.stringify(apiGroups)}, Resources:${JSON.stringify(resources)}${names}, Verbs:${JSON.stringify(verbs)}}`;
}
