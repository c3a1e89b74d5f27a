import type { Container, Pod } from '../../../api/core_v1.js';
import type { ImageFiles } from '../../../kernel/files/file.js';

/** Whom a container's main process runs as. */
export interface ProcessUser {
  readonly user: number;
  readonly group: number;
  /** Supplementary groups, without `group`. */
  readonly groups: readonly number[];
}

/** A line of /etc/passwd. */
interface PasswdEntry {
  readonly name: string;
  readonly user: number;
  readonly group: number;
}

/**
 * The user, group and groups of a container: its own security context's, the pod's, or the image's USER, with the
 * groups that the image's /etc/group gives to that user. Undefined when the image's user is a name that its /etc/passwd
 * does not have. Models kuberuntime/security_context.go and containerd's oci.WithUser and WithAdditionalGIDs.
 */
export function findProcessUser(
  pod: Pod,
  container: Container,
  imageUser: string | undefined,
  files: ImageFiles,
): ProcessUser | undefined {
  const [own, shared] = [container.securityContext ?? {}, pod.spec.securityContext ?? {}];
  const { passwd, groups } = accountsOf(files);
  const [userText = '', groupText] = (imageUser ?? '').split(':', 2);
  const uid = own.runAsUser ?? shared.runAsUser;
  const entry = uid === undefined ? findUser(passwd, userText) : passwd.find(({ user }) => user === uid);
  const user = uid ?? entry?.user ?? numberOf(userText === '' ? '0' : userText);
  if (user === undefined) return undefined;
  const imageGroup =
    uid === undefined && groupText ? (numberOf(groupText) ?? groups.find((g) => g.name === groupText)?.id) : undefined;
  const group = own.runAsGroup ?? shared.runAsGroup ?? imageGroup ?? entry?.group ?? 0;
  const merges = shared.supplementalGroupsPolicy !== 'Strict';
  const member = merges && entry ? groups.filter((g) => g.members.includes(entry.name)).map((g) => g.id) : [];
  const fsGroup = shared.fsGroup === undefined ? [] : [shared.fsGroup];
  const all = new Set([...member, ...(shared.supplementalGroups ?? []), ...fsGroup]);
  all.delete(group);
  return { user, group, groups: [...all] };
}

const findUser = (passwd: readonly PasswdEntry[], text: string): PasswdEntry | undefined =>
  passwd.find(({ name, user }) => (text === '' ? user === 0 : name === text || String(user) === text));

const numberOf = (text: string): number | undefined => (/^\d+$/.test(text) ? Number(text) : undefined);

/** A line of /etc/group. */
interface GroupEntry {
  readonly name: string;
  readonly id: number;
  readonly members: readonly string[];
}

interface Accounts {
  readonly passwd: readonly PasswdEntry[];
  readonly groups: readonly GroupEntry[];
}

/** Of images, which do not change. */
const accounts = new WeakMap<ImageFiles, Accounts>();

function accountsOf(files: ImageFiles): Accounts {
  let known = accounts.get(files);
  if (!known) accounts.set(files, (known = parseAccounts(files)));
  return known;
}

const parseAccounts = (files: ImageFiles): Accounts => ({
  passwd: parsePasswd(files['/etc/passwd']?.content ?? ''),
  groups: parseGroups(files['/etc/group']?.content ?? ''),
});

const parsePasswd = (text: string): PasswdEntry[] =>
  linesOf(text).map(([name = '', , user, group]) => ({ name, user: Number(user), group: Number(group) }));

const parseGroups = (text: string): GroupEntry[] =>
  linesOf(text).map(([name = '', , id, members = '']) => ({ name, id: Number(id), members: members.split(',') }));

const linesOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.includes(':'))
    .map((line) => line.split(':'));
