import type { Node } from '../machinery/cel/index.js';
import type { CompiledPart } from './compiled.js';
import type { Resources } from './resources.js';

/** Why an expression would never say what is meant, though it can be read; undefined: nothing is known against it. */
export function mistakeIn({ main, after, until, filter }: CompiledPart, resources: Resources): string | undefined {
  const { resource } = filter;
  if (typeof resource === 'string') {
    const stored = resources.storedAs(resource);
    if (main?.occurrence === 'change' && stored !== undefined && stored !== resource)
      return `change.resource is '${stored}', never '${resource}'`;
    const plural = resource.split('.')[0]!;
    if (main?.occurrence === 'request' && plural !== resource && resources.storedAs(plural) === resource)
      return `request.resource is '${plural}', never '${resource}'; request.group has the rest`;
  }
  for (const expression of [main, after, until]) {
    const found = expression && listByName(expression.program.root, resources);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A list that is asked as if it were the map of its objects: deployments['shop/web']. */
function listByName(root: Node, resources: Resources): string | undefined {
  const pending: Node[] = [root];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.kind === 'call') {
      const [list, key] = node.args;
      const isNamed = node.fn === '_[_]' && key?.kind === 'literal' && typeof key.value === 'string';
      const found = isNamed && list?.kind === 'ident' ? resources.find(list.name) : undefined;
      if (found?.isList && list?.kind === 'ident')
        return `${list.name} is the list of all: one of them is ${found.kind.singular}['${namesOf(key)}']`;
      pending.push(...(node.target ? [node.target] : []), ...node.args);
    } else if (node.kind === 'select') pending.push(node.operand);
    else if (node.kind === 'macro') pending.push(node.target, ...node.args);
  }
  return undefined;
}

const namesOf = (key: Node | undefined): string => (key?.kind === 'literal' ? String(key.value) : '');
