import { KubectlFailure } from '../../session/failure.js';
import { isMap } from '../../kustomize/resource.js';
import { CallFailure, callFunction, FUNCTIONS, WrongCount } from './functions.js';
import {
  type Command,
  type ControlNode,
  type Operand,
  parseGoTemplate,
  type Pipeline,
  type Place,
  type Template,
  type TemplateNode,
} from './parse.js';
import { GoInt, intOf, isTrue, NO_VALUE, printValue } from './values.js';

const MAX_OUTPUT = 8 << 20;
const MAX_STEPS = 1_000_000;
const MAX_CALLS = 100;

/** A failure while a template runs: the output before it stands. */
export class TemplateFailure extends KubectlFailure {
  constructor(
    message: string,
    readonly output: string,
  ) {
    super(message);
  }
}

/** What a template prints of a value. Models text/template. Throws KubectlFailure, TemplateFailure. */
export function runGoTemplate(text: string, value: unknown, allowMissing = true): string {
  const template = parseGoTemplate(text);
  checkFunctions(template, text);
  const run = new Run(text, template, value, allowMissing);
  try {
    run.list(template.nodes, value, 0);
  } catch (error) {
    if (error instanceof KubectlFailure) throw new TemplateFailure(error.message, run.output);
    throw error;
  }
  return run.output;
}

/** A function that is none is known before anything runs. */
function checkFunctions({ nodes, defined }: Template, text: string): void {
  const check = (pipeline: Pipeline | undefined): void =>
    pipeline?.commands.forEach(({ operands }) =>
      operands.forEach((operand) => {
        if (operand.type === 'group') check(operand.pipeline);
        if (operand.type !== 'function' || Object.hasOwn(FUNCTIONS, operand.name) || LOGIC.includes(operand.name))
          return;
        const line = text.slice(0, operand.at.offset).split('\n').length;
        throw new KubectlFailure(
          `error parsing template ${text}, template: output:${line}: function ${JSON.stringify(operand.name)} not defined`,
        );
      }),
    );
  const walk = (list: readonly TemplateNode[]): void =>
    list.forEach((node) => {
      if ('pipeline' in node) check(node.pipeline);
      if ('body' in node) [node.body, node.otherwise].forEach(walk);
    });
  [nodes, ...defined.values()].forEach(walk);
}

/** Why an operand takes no arguments. */
const refusal = (operand: Operand): string =>
  'fields' in operand && operand.fields.length > 0
    ? `${operand.fields.at(-1)} is not a method but has arguments`
    : `can't give argument to non-function ${operand.at.text}`;

const LOGIC = ['and', 'or'];

type Flow = 'break' | 'continue' | undefined;

class Run {
  output = '';
  private variables: [string, unknown][];
  private steps = 0;
  private calls = 0;

  constructor(
    private readonly text: string,
    private readonly template: Template,
    private readonly root: unknown,
    private readonly allowMissing: boolean,
  ) {
    this.variables = [['$', root]];
  }

  private fail(at: Place, message: string): never {
    const before = this.text.slice(0, at.offset).split('\n');
    const place = `${before.length}:${before.at(-1)!.length}`;
    throw new KubectlFailure(`template: output:${place}: executing "output" at <${at.text}>: ${message}`);
  }

  list(nodes: readonly TemplateNode[], dot: unknown, depth: number): Flow {
    const mark = this.variables.length;
    try {
      for (const node of nodes) {
        const flow = this.node(node, dot, depth);
        if (flow) return flow;
      }
      return undefined;
    } finally {
      this.variables.length = mark;
    }
  }

  private node(node: TemplateNode, dot: unknown, depth: number): Flow {
    if (++this.steps > MAX_STEPS || this.output.length > MAX_OUTPUT)
      throw new KubectlFailure('the template prints too much');
    switch (node.type) {
      case 'text':
        this.output += node.text;
        return undefined;
      case 'break':
      case 'continue':
        return node.type;
      case 'action': {
        const value = this.pipeline(node.pipeline, dot);
        if (node.pipeline.variables.length === 0) this.output += printValue(value);
        return undefined;
      }
      case 'call':
        return this.callTemplate(node, dot, depth);
      case 'range':
        return this.range(node, dot, depth);
      default: {
        const mark = this.variables.length;
        const value = this.pipeline(node.pipeline, dot);
        const inner = node.type === 'with' && isTrue(value) ? value : dot;
        const flow = this.list(isTrue(value) ? node.body : node.otherwise, inner, depth + 1);
        this.variables.length = mark;
        return flow;
      }
    }
  }

  private callTemplate(node: Extract<TemplateNode, { type: 'call' }>, dot: unknown, depth: number): Flow {
    const nodes = this.template.defined.get(node.name);
    if (!nodes)
      this.fail(
        { ...node.at, text: `{{template ${node.at.text}}}` },
        `template ${JSON.stringify(node.name)} not defined`,
      );
    const value = node.pipeline ? this.pipeline(node.pipeline, dot) : null;
    if (++this.calls > MAX_CALLS) this.fail(node.at, 'exceeded maximum template depth');
    const outer = this.variables;
    this.variables = [['$', value]];
    this.list(nodes, value, depth + 1);
    this.variables = outer;
    this.calls--;
    return undefined;
  }

  private range(node: ControlNode, dot: unknown, depth: number): Flow {
    const { pipeline, body, otherwise } = node;
    const value = this.pipeline({ ...pipeline, variables: [] }, dot);
    const whole = intOf(value);
    const entries: [unknown, unknown][] = Array.isArray(value)
      ? value.map((one: unknown, i) => [new GoInt(i), one])
      : isMap(value)
        ? Object.keys(value)
            .sort()
            .map((key) => [key, value[key]])
        : whole !== undefined
          ? Array.from({ length: Math.max(0, Math.min(whole, MAX_STEPS)) }, (_, i) => [new GoInt(i), new GoInt(i)])
          : [];
    const isNothing = value === null || value === undefined || value === NO_VALUE;
    if (!Array.isArray(value) && !isMap(value) && whole === undefined && !isNothing)
      this.fail(pipeline.commands.at(-1)!.at, `range can't iterate over ${printValue(value)}`);
    if (entries.length === 0) return this.list(otherwise, dot, depth + 1);
    const [first, second] = pipeline.variables;
    for (const [key, one] of entries) {
      const mark = this.variables.length;
      if (second !== undefined) this.assign(first!, key, pipeline.declares);
      if (first !== undefined) this.assign(second ?? first, one, pipeline.declares);
      const flow = this.list(body, one, depth + 1);
      this.variables.length = mark;
      if (flow === 'break') break;
    }
    return undefined;
  }

  private assign(name: string, value: unknown, declares: boolean): void {
    const known = declares ? undefined : this.variables.findLast(([one]) => one === name);
    if (known) known[1] = value;
    else this.variables.push([name, value]);
  }

  private pipeline({ commands, variables, declares }: Pipeline, dot: unknown): unknown {
    let value: unknown;
    commands.forEach((command, i) => (value = this.command(command, dot, i === 0 ? [] : [value])));
    for (const name of variables) this.assign(name, value, declares);
    return value;
  }

  private command({ operands, at }: Command, dot: unknown, last: readonly unknown[]): unknown {
    const [first, ...others] = operands;
    if (!first) return NO_VALUE;
    if (first.type !== 'function') {
      if (others.length > 0 || last.length > 0) this.fail(first.at, refusal(first));
      if (first.type === 'literal' && first.value === null) this.fail(first.at, 'nil is not a command');
      return this.operand(first, dot);
    }
    const { name } = first;
    if (LOGIC.includes(name)) return this.logic(name, others, dot, last, at);
    const args = [...others.map((one) => this.operand(one, dot)), ...last];
    try {
      return callFunction(name, args);
    } catch (error) {
      if (error instanceof WrongCount) this.fail(first.at, error.message);
      if (error instanceof CallFailure) this.fail(at, `error calling ${name}: ${error.message}`);
      throw error;
    }
  }

  /** What decides is the value; what follows it is not looked at. */
  private logic(name: string, others: readonly Operand[], dot: unknown, last: readonly unknown[], at: Place): unknown {
    const all = [
      ...others.map((one) => (): unknown => this.operand(one, dot)),
      ...last.map((one) => (): unknown => one),
    ];
    if (all.length === 0) this.fail(at, `wrong number of args for ${name}: want at least 1 got 0`);
    let value: unknown;
    for (const one of all) {
      value = one();
      if (isTrue(value) === (name === 'or')) break;
    }
    return value;
  }

  private operand(operand: Operand, dot: unknown): unknown {
    switch (operand.type) {
      case 'literal':
        return operand.isInt ? new GoInt(operand.value as number) : operand.value;
      case 'function':
        return this.command({ operands: [operand], at: operand.at }, dot, []);
      case 'dot':
        return this.fields(dot, operand.fields, operand.at);
      case 'root':
        return this.fields(this.variables[0]![1], operand.fields, operand.at);
      case 'variable': {
        const found = this.variables.findLast(([name]) => name === operand.name);
        if (!found) this.fail(operand.at, `undefined variable ${JSON.stringify(operand.name)}`);
        return this.fields(found[1], operand.fields, operand.at);
      }
      case 'group':
        return this.fields(this.pipeline(operand.pipeline, dot), operand.fields, operand.at);
    }
  }

  private fields(value: unknown, names: readonly string[], at: Place): unknown {
    return names.reduce<unknown>((found, name) => {
      if (found === NO_VALUE || found === null || found === undefined) {
        if (!this.allowMissing) this.fail(at, `nil data; no entry for key ${JSON.stringify(name)}`);
        return NO_VALUE;
      }
      if (!isMap(found)) this.fail(at, `can't evaluate field ${name} in type interface {}`);
      if (Object.hasOwn(found, name)) return found[name];
      if (!this.allowMissing) this.fail(at, `map has no entry for key ${JSON.stringify(name)}`);
      return NO_VALUE;
    }, value);
  }
}
