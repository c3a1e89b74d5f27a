import { bytesOf } from '../../../engine/kernel/bytes.js';
import { ArgumentFailure, CallFailure, TemplateRunFailure, WrongCount } from './failures.js';
import { callFunction } from './functions.js';
import type { Command, ControlNode, Operand, Pipeline, Place, TemplateNode } from './nodes.js';
import { LOGIC, type NamedTemplate, type TemplateSource } from './dialect.js';
import { GoInt, GoObject, intOf, isMap, isNil, isTrue, NO_VALUE, printValue } from './values.js';

const MAX_OUTPUT = 8 << 20;
const MAX_STEPS = 1_000_000;
const MAX_CALLS = 100;

/** The words of a failure, until the output before it is known. */
class Stop extends Error {}

/** Why an operand takes no arguments. */
const refusal = (operand: Operand): string =>
  'fields' in operand && operand.fields.length > 0
    ? `${operand.fields.at(-1)} is not a method but has arguments`
    : `can't give argument to non-function ${operand.at.text}`;

type Flow = 'break' | 'continue' | undefined;

type Method = { readonly name: string; readonly call: (args: readonly unknown[]) => unknown };

/** One run of a template, with what it includes by {{template}}. */
export class Run {
  output = '';
  private variables: [string, unknown][];
  private current: NamedTemplate | undefined;

  constructor(
    private readonly templates: TemplateSource,
    private readonly root: unknown,
  ) {
    this.variables = [['$', root]];
  }

  /** Throws TemplateRunFailure. */
  start(name: string): string {
    const { counters } = this.templates;
    const template = this.templates.find(name);
    if (!template)
      throw new TemplateRunFailure(
        `template: no template ${JSON.stringify(name)} associated with template "gotpl"`,
        '',
      );
    if (++counters.depth > MAX_CALLS) {
      counters.depth--;
      throw new TemplateRunFailure(`template: ${template.source}: exceeded maximum template depth`, '');
    }
    this.current = template;
    try {
      this.list(template.nodes, this.root, 0);
    } catch (error) {
      if (error instanceof Stop) throw new TemplateRunFailure(error.message, this.output);
      throw error;
    } finally {
      counters.depth--;
    }
    return this.output;
  }

  private fail(at: Place, message: string): never {
    const { text, source, name } = this.current!;
    const before = text.slice(0, at.offset).split('\n');
    const place = `${before.length}:${bytesOf(before.at(-1)!).length}`;
    throw new Stop(`template: ${source}:${place}: executing ${JSON.stringify(name)} at <${at.text}>: ${message}`);
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
    if (++this.templates.counters.steps > MAX_STEPS || this.output.length > MAX_OUTPUT)
      throw new Stop('the template prints too much');
    switch (node.type) {
      case 'text':
        this.output += node.text;
        return undefined;
      case 'break':
      case 'continue':
        return node.type;
      case 'action': {
        const value = this.pipeline(node.pipeline, dot);
        if (node.pipeline.variables.length === 0)
          this.output += isNil(value) ? (this.templates.dialect.nilText ?? printValue(value)) : printValue(value);
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
    const called = this.templates.find(node.name);
    if (!called)
      this.fail(
        { ...node.at, text: `{{template ${node.at.text}}}` },
        `template ${JSON.stringify(node.name)} not defined`,
      );
    const value = node.pipeline ? this.pipeline(node.pipeline, dot) : null;
    const { counters } = this.templates;
    if (++counters.depth > MAX_CALLS) this.fail(node.at, 'exceeded maximum template depth');
    const [outer, caller] = [this.variables, this.current];
    this.variables = [['$', value]];
    this.current = called;
    this.list(called.nodes, value, depth + 1);
    this.variables = outer;
    this.current = caller;
    counters.depth--;
    return undefined;
  }

  private range(node: ControlNode, dot: unknown, depth: number): Flow {
    const { pipeline, body, otherwise } = node;
    const given = this.pipeline({ ...pipeline, variables: [] }, dot);
    const value = given instanceof GoObject ? given.fields : given;
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
    if (!Array.isArray(value) && !isMap(value) && whole === undefined && !isNil(value))
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
      const found = this.method(first, dot);
      if (found && 'call' in found)
        return this.callMethod(found, [...others.map((one) => this.operand(one, dot)), ...last], at);
      if (others.length > 0 || last.length > 0) this.fail(first.at, refusal(first));
      if (first.type === 'literal' && first.value === null) this.fail(first.at, 'nil is not a command');
      return found ? found.value : this.operand(first, dot);
    }
    const { name } = first;
    if (LOGIC.includes(name)) return this.logic(name, others, dot, last, at);
    const args = [...others.map((one) => this.operand(one, dot)), ...last];
    try {
      return callFunction(name, this.templates.dialect.functions[name]!, this.templates.dialect.arity, args);
    } catch (error) {
      if (error instanceof WrongCount) this.fail(first.at, error.message);
      if (error instanceof ArgumentFailure) this.refuse(error, others[error.index], others.at(-1) ?? first);
      if (error instanceof CallFailure || error instanceof TemplateRunFailure)
        this.fail(at, `error calling ${name}: ${error.message}`);
      throw error;
    }
  }

  /** An argument of a wrong type; what comes through a pipe stands nowhere itself. */
  private refuse({ message, wanted }: ArgumentFailure, given: Operand | undefined, last: Operand): never {
    if (given?.type === 'literal') this.fail(given.at, `expected ${wanted}; found ${given.at.text}`);
    if (given)
      this.fail(
        given.at,
        message.replace(/^invalid value;.*/s, `wrong type for value; expected ${wanted}; got interface {}`),
      );
    return this.fail(last.at, message);
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

  /** The method that a command begins with, or the value of its fields; undefined: it has none. */
  private method(operand: Operand, dot: unknown): Method | { readonly value: unknown } | undefined {
    if (!('fields' in operand) || operand.fields.length === 0) return undefined;
    const name = operand.fields.at(-1)!;
    const before = this.operand({ ...operand, fields: operand.fields.slice(0, -1) }, dot);
    if (before instanceof GoObject && Object.hasOwn(before.methods, name)) return { name, call: before.methods[name]! };
    return { value: this.fields(before, [name], operand.at) };
  }

  private callMethod({ name, call }: Method, args: readonly unknown[], at: Place): unknown {
    try {
      return call(args);
    } catch (error) {
      if (error instanceof CallFailure) this.fail(at, `error calling ${name}: ${error.message}`);
      throw error;
    }
  }

  private fields(value: unknown, names: readonly string[], at: Place): unknown {
    const { missing } = this.templates.dialect;
    return names.reduce<unknown>((found, name, i) => {
      if (isNil(found)) {
        if (missing === 'refused') this.fail(at, `nil data; no entry for key ${JSON.stringify(name)}`);
        if (missing === 'null') this.fail(at, `nil pointer evaluating interface {}.${name}`);
        return NO_VALUE;
      }
      if (found instanceof GoObject) {
        if (Object.hasOwn(found.methods, name)) return this.callMethod({ name, call: found.methods[name]! }, [], at);
        if (Object.hasOwn(found.fields, name)) return found.fields[name];
        // What a map holds is known as an interface only.
        return this.fail(at, `can't evaluate field ${name} in type ${i < 2 ? 'interface {}' : found.type}`);
      }
      if (!isMap(found)) this.fail(at, `can't evaluate field ${name} in type interface {}`);
      if (Object.hasOwn(found, name)) return found[name];
      if (missing === 'refused') this.fail(at, `map has no entry for key ${JSON.stringify(name)}`);
      return missing === 'null' ? null : NO_VALUE;
    }, value);
  }
}
