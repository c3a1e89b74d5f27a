import { Namespaces } from '../../../../engine/kinds/index.js';
import type { NameAnswer, NameRecord } from '../../../../engine/kernel/process/syscalls.js';
import type { NameQuestion } from '../../../../engine/node/dns/question.js';

export interface KubernetesZone {
  /** 'cluster.local.', 'in-addr.arpa.'. */
  readonly zones: readonly string[];
  readonly pods: 'disabled' | 'insecure' | 'verified';
  readonly ttl: number;
  /** Undefined: never; empty: of all zones. */
  readonly fallthrough: readonly string[] | undefined;
  /** Undefined: all. */
  readonly namespaces: readonly string[] | undefined;
  readonly namesEndpointsByPod: boolean;
}

/** What a lookup in the cluster found; undefined: there is no such name. */
export type Found =
  | { readonly records: readonly NameRecord[]; readonly additional?: readonly NameRecord[] }
  | undefined;

/** The question, as the plug-in's parts look at it. */
export interface Lookup extends Pick<NameQuestion, 'read' | 'now' | 'type'> {
  /** In lower case, with the dot at its end. */
  readonly name: string;
  readonly zone: string;
  readonly settings: KubernetesZone;
  /** The same server's answer to another name. */
  again(name: string, type: string): NameAnswer;
}

/** The name is there, and has no records of that type. */
export const NO_DATA: Found = { records: [] };

/** The namespace is there, and the plug-in serves it. */
export const isExposed = ({ read, settings }: Pick<Lookup, 'read' | 'settings'>, namespace: string): boolean =>
  (settings.namespaces?.includes(namespace) ?? true) &&
  read.get(Namespaces, { namespace: '', name: namespace }) !== undefined;
