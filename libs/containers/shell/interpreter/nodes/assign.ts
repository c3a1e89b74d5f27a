import type { ExpandedAssignment } from '../../state/frame.js';
import { ShellFailure } from '../failure.js';
import type { Shell } from '../shell.js';
import { assignVariable, isReadOnly, readOnlyFailure, withFlags } from '../variables.js';

/** Performs name=value, name[index]=value and name=(...). Throws ShellFailure. */
export function assign(shell: Shell, assignment: ExpandedAssignment): void {
  const { name, index, value, elements, isAppended } = assignment;
  if (elements) assignArray(shell, assignment);
  else if (isAppended) shell.append(name, index ?? undefined, value);
  else shell.set(name, index ?? undefined, value);
}

/** name=(...): the elements without a key follow each other. */
export function assignArray(shell: Shell, assignment: ExpandedAssignment): void {
  const name = shell.resolve(assignment.name);
  const before = shell.variable(name);
  if (before && isReadOnly(before)) throw readOnlyFailure(shell, name);
  const isAssociative = before?.flags.includes('A') === true;
  const kept = assignment.isAppended
    ? (before?.elements ?? (before?.value === undefined ? {} : { '0': before.value }))
    : {};
  const keptKeys = Object.keys(kept);
  shell.sys.charge((keptKeys.length >> 2) + (assignment.elements?.length ?? 0));
  shell.state.variables[name] = {
    elements: { ...kept },
    flags: withFlags(before?.flags ?? '', isAssociative ? 'A' : 'a'),
  };
  const last = keptKeys.at(-1);
  let next = last === undefined || isAssociative ? 0 : Number(last) + 1;
  for (const element of assignment.elements ?? []) {
    if (isAssociative && element.key === null) {
      throw new ShellFailure(
        `${name}: ${element.value}: must use subscript when assigning associative array`,
        1,
        'line',
      );
    }
    const key = element.key === null ? String(next) : shell.indexOf(name, element.key);
    assignVariable(shell, name, key, element.value, element.isAppended);
    if (!isAssociative) next = Number(key) + 1;
  }
}
