import type { Container, Pod } from '../../../api/core_v1.js';
import { FILTERED_CALLS, type FilteredCall } from '../../../kernel/process/filter.js';

/** Models pkg/kubelet/kubelet.go seccompProfileRoot with the default root directory. */
export const SECCOMP_ROOT = '/var/lib/kubelet/seccomp';

/** What Linux filters of a container's calls. */
export interface SeccompFilter {
  readonly denied: readonly FilteredCall[];
  /** Not even its program can be executed. */
  readonly deniesExec: boolean;
}

const FREE: SeccompFilter = { denied: [], deniesExec: false };

/**
 * The filter of a container; undefined: it has none. `isDefault`: the kubelet's seccompDefault. `readProfile`: the text
 * of a profile of the node. Models kuberuntime/helpers_linux.go getSeccompProfile and what runc makes of a profile.
 */
export function seccompFilterOf(
  pod: Pod,
  { securityContext }: Container,
  isDefault: boolean,
  readProfile: (path: string) => string | undefined,
): SeccompFilter | undefined {
  if (securityContext?.privileged) return undefined;
  const profile = securityContext?.seccompProfile ?? pod.spec.securityContext?.seccompProfile;
  if (!profile) return isDefault ? FREE : undefined;
  if (profile.type === 'Unconfined') return undefined;
  if (profile.type !== 'Localhost') return FREE;
  const text = readProfile(`${SECCOMP_ROOT}/${profile.localhostProfile ?? ''}`);
  const parsed = text === undefined ? undefined : parseProfile(text);
  return parsed === undefined || typeof parsed === 'string' ? FREE : filterOf(parsed);
}

export interface Profile {
  readonly defaultAction: string;
  readonly syscalls: readonly { readonly names: readonly string[]; readonly action: string }[];
}

/** A profile, or why it is none, in Go's words. */
export function parseProfile(text: string): Profile | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // What JSON.parse says is not what Go would say: the first character that cannot begin a value.
    const first = text.trimStart()[0];
    return first === undefined || first === '{'
      ? 'unexpected end of JSON input'
      : `invalid character '${first}' looking for beginning of value`;
  }
  const { defaultAction, syscalls } = fieldsOf(value);
  return {
    defaultAction: typeof defaultAction === 'string' ? defaultAction : '',
    syscalls: (Array.isArray(syscalls) ? (syscalls as unknown[]) : []).map((one) => {
      const { names, name, action } = fieldsOf(one);
      const list = Array.isArray(names) ? (names as unknown[]) : [name];
      return { names: list.map(String), action: typeof action === 'string' ? action : '' };
    }),
  };
}

/** What is to be done when a program makes this call. */
export const actionFor = ({ defaultAction, syscalls }: Profile, call: string): string =>
  syscalls.find(({ names }) => names.includes(call))?.action ?? defaultAction;

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const refuses = (action: string): boolean => action === 'SCMP_ACT_ERRNO' || action.startsWith('SCMP_ACT_KILL');

/** A call is denied when a rule names one of its variants, or when no rule allows any of them. */
function filterOf({ defaultAction, syscalls }: Profile): SeccompFilter {
  const named = (isDenial: boolean): Set<string> =>
    new Set(syscalls.filter(({ action }) => refuses(action) === isDenial).flatMap(({ names }) => names));
  const [denied, allowed] = [named(true), named(false)];
  const isDenied = (variants: readonly string[]): boolean =>
    refuses(defaultAction)
      ? !variants.some((name) => allowed.has(name))
      : variants.some((name) => denied.has(name) && !allowed.has(name));
  const calls = Object.entries(FILTERED_CALLS) as [FilteredCall, readonly string[]][];
  return {
    denied: calls.filter(([, variants]) => isDenied(variants)).map(([call]) => call),
    deniesExec: isDenied(['execve', 'execveat']),
  };
}
