import { isFormat } from '../values/formats.js';
import { type Definition, type Node, type Pattern, signature, SyntaxFault, variablesOf } from './syntax.js';

/** Names that are known at a place: `$x`, `f/1`, `*label`. */
type Names = ReadonlySet<string>;

/** Throws SyntaxFault for the first name that nothing defines, as jq does before it runs. */
export function checkNames(node: Node, known: Names): void {
  const visit = (inner: Node | undefined, names: Names = known): void => {
    if (inner !== undefined) checkNames(inner, names);
  };
  switch (node.type) {
    case 'identity':
    case 'recurse':
    case 'literal':
      return;
    case 'variable':
      if (!known.has(`$${node.name}`)) throw new SyntaxFault(`$${node.name} is not defined`, node.at);
      return;
    case 'break':
      if (!known.has(`*${node.name}`)) throw new SyntaxFault(`$*label-${node.name} is not defined`, node.at);
      return;
    case 'format':
      if (!isFormat(node.name)) throw new SyntaxFault(`${node.name.slice(1)} is not a valid format`, 0);
      return;
    case 'call': {
      const name = signature(node.name, node.args.length);
      if (!known.has(name)) throw new SyntaxFault(`${name} is not defined`, node.at);
      return node.args.forEach((argument) => visit(argument));
    }
    case 'index':
      visit(node.of);
      return visit(node.key);
    case 'slice':
      [node.of, node.from, node.to].forEach((inner) => visit(inner));
      return;
    case 'iterate':
    case 'negate':
      return visit(node.of);
    case 'text':
      if (node.format !== '' && !isFormat(node.format))
        throw new SyntaxFault(`${node.format.slice(1)} is not a valid format`, 0);
      return node.parts.forEach((part) => typeof part !== 'string' && visit(part));
    case 'array':
      return visit(node.body);
    case 'object':
      return node.entries.flat().forEach((inner) => visit(inner));
    case 'if':
      return [node.condition, node.then, node.otherwise].forEach((inner) => visit(inner));
    case 'try':
      visit(node.body);
      return visit(node.handler);
    case 'reduce':
    case 'foreach': {
      [node.source, node.init].forEach((inner) => visit(inner));
      const names = withPattern(node.pattern, known);
      visit(node.update, names);
      return visit(node.type === 'foreach' ? node.extract : undefined, names);
    }
    case 'define':
      checkDefinition(node.definition, known);
      return visit(node.body, new Set([...known, nameOf(node.definition)]));
    case 'bind':
      visit(node.source);
      return visit(
        node.body,
        node.patterns.reduce<Names>((names, pattern) => withPattern(pattern, names), known),
      );
    case 'label':
      return visit(node.body, new Set([...known, `*${node.name}`]));
    default:
      visit(node.left);
      return visit(node.right);
  }
}

const nameOf = ({ name, parameters }: Definition): string => signature(name, parameters.length);

function checkDefinition(definition: Definition, known: Names): void {
  const names = definition.parameters.flatMap((parameter) =>
    parameter.startsWith('$') ? [parameter, signature(parameter.slice(1), 0)] : [signature(parameter, 0)],
  );
  checkNames(definition.body, new Set([...known, nameOf(definition), ...names]));
}

function withPattern(pattern: Pattern, known: Names): Names {
  if (pattern.type === 'array') pattern.items.forEach((item) => withPattern(item, known));
  if (pattern.type === 'object') pattern.entries.forEach(({ key }) => checkNames(key, known));
  return new Set([...known, ...variablesOf(pattern).map((name) => `$${name}`)]);
}
