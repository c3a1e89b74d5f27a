import type { Reader } from '@terrarium/engine';
import { contains, parseAddress, parsePrefix } from '../../../../engine/machinery/net/netip.js';
import type { Mesh } from '../mesh.js';
import { AuthorizationPolicies, type AuthorizationPolicy, type Rule, type Source } from '../resources.js';
import { selects } from './peer-authentication.js';

/** What a policy looks at. Of a connection that is no HTTP there is no path, and the like. */
export interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly host?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly port: number;
  readonly sourceIp: string;
  /** The address in X-Forwarded-For, or the peer's. */
  readonly remoteIp: string;
  /** 'spiffe://cluster.local/ns/default/sa/sleep'; undefined: no certificate was shown. */
  readonly peer: string | undefined;
}

type Target = { readonly namespace: string; readonly labels: Readonly<Record<string, string>> };
const MAX_RULES = 10_000;

/** Policies of a workload's namespace and of the mesh that select it. */
export const policiesOf = (read: Reader, { namespace, labels }: Target, mesh: Mesh): AuthorizationPolicy[] =>
  [...new Set([mesh.rootNamespace, namespace])].flatMap((place) =>
    read.list(AuthorizationPolicies, place).filter(({ spec }) => selects(spec?.selector, labels)),
  );

/**
 * Why a request is refused, in the words of Envoy's details; undefined: it may pass. A policy that denies comes first;
 * where there are any that allow, one has to. CUSTOM and AUDIT decide nothing here.
 */
export function refusalOf(policies: readonly AuthorizationPolicy[], asked: Asked): string | undefined {
  const of = (action: string): AuthorizationPolicy[] =>
    policies.filter(({ spec }) => (spec?.action ?? 'ALLOW') === action);
  for (const policy of of('DENY')) {
    const index = matchingRule(policy, asked);
    if (index >= 0)
      return `rbac_access_denied_matched_policy[ns[${policy.metadata.namespace}]-policy[${policy.metadata.name}]-rule[${index}]]`;
  }
  const allowing = of('ALLOW');
  if (allowing.length === 0 || allowing.some((policy) => matchingRule(policy, asked) >= 0)) return undefined;
  return 'rbac_access_denied_matched_policy[none]';
}

const matchingRule = ({ spec }: AuthorizationPolicy, asked: Asked): number =>
  (spec?.rules ?? []).slice(0, MAX_RULES).findIndex((rule) => isMatch(rule, asked));

/** Rules that ask of HTTP match no other connection where they allow; those that deny leave these fields out. */
function isMatch({ from, to, when }: Rule, asked: Asked): boolean {
  return (
    (!from?.length || from.some(({ source }) => every(source, (field) => valueOf(field, asked)))) &&
    (!to?.length || to.some(({ operation }) => every(operation, (field) => valueOf(field, asked)))) &&
    (when ?? []).every(({ key, values, notValues }) => {
      const value = conditionOf(key, asked);
      return (
        (!values?.length || values.some((one) => fitsField(key, one, value))) &&
        !notValues?.some((one) => fitsField(key, one, value))
      );
    })
  );
}

function every(wanted: Source | undefined, read: (field: string) => string | undefined): boolean {
  return Object.entries(wanted ?? {}).every(([field, list]) => {
    if (!Array.isArray(list) || list.length === 0) return true;
    const isNot = field.startsWith('not');
    const name = isNot ? field[3]!.toLowerCase() + field.slice(4) : field;
    const value = read(name);
    const found = (list as readonly string[]).some((one) => fitsField(name, one, value));
    return isNot ? !found : found;
  });
}

const nameOf = (peer: string | undefined): RegExpExecArray | null =>
  /^spiffe:\/\/[^/]{1,253}\/ns\/([^/]{1,63})\/sa\/([^/]{1,253})$/.exec(peer ?? '');

function valueOf(field: string, asked: Asked): string | undefined {
  switch (field) {
    case 'principals':
      return asked.peer?.slice('spiffe://'.length);
    case 'namespaces':
      return nameOf(asked.peer)?.[1];
    case 'serviceAccounts': {
      const [, namespace, account] = nameOf(asked.peer) ?? [];
      return namespace === undefined ? undefined : `${namespace}/${account}`;
    }
    case 'ipBlocks':
      return asked.sourceIp;
    case 'remoteIpBlocks':
      return asked.remoteIp;
    case 'hosts':
      return asked.host;
    case 'methods':
      return asked.method;
    case 'paths':
      return asked.path;
    case 'ports':
      return String(asked.port);
    default:
      // Of tokens nothing is known: RequestAuthentication is not simulated.
      return undefined;
  }
}

function conditionOf(key: string, asked: Asked): string | undefined {
  const header = /^request\.headers\[([^\]]{1,256})\]$/.exec(key)?.[1];
  if (header !== undefined) return asked.headers?.[header.toLowerCase()];
  switch (key) {
    case 'source.ip':
      return asked.sourceIp;
    case 'remote.ip':
      return asked.remoteIp;
    case 'source.namespace':
      return valueOf('namespaces', asked);
    case 'source.principal':
      return valueOf('principals', asked);
    case 'destination.port':
      return String(asked.port);
    default:
      return undefined;
  }
}

function fitsField(field: string, wanted: string, value: string | undefined): boolean {
  if (value === undefined) return false;
  if (/ipBlocks$|IpBlocks$|\.ip$/.test(field)) return isInBlock(wanted, value);
  if (field === 'hosts') return fitsText(wanted.toLowerCase(), value.toLowerCase());
  return fitsText(wanted, value);
}

/** 'a', 'a*', '*a', '*': there. */
function fitsText(wanted: string, value: string): boolean {
  if (wanted === '*') return value !== '';
  if (wanted.endsWith('*')) return value.startsWith(wanted.slice(0, -1));
  if (wanted.startsWith('*')) return value.endsWith(wanted.slice(1));
  return wanted === value;
}

function isInBlock(block: string, address: string): boolean {
  const parsed = parseAddress(address);
  const prefix = parsePrefix(block.includes('/') ? block : `${block}/${block.includes(':') ? 128 : 32}`);
  return parsed !== undefined && prefix !== undefined && contains(prefix, parsed);
}
