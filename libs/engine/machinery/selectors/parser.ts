import { goValue } from '../meta/field.js';
import type { LabelOperator, Requirement } from './requirement.js';
import { badRequest } from '../meta/status.js';

interface Token {
  readonly type: 'identifier' | 'operator' | '(' | ')' | ',' | '!' | 'end';
  readonly text: string;
}

const BINARY = 'in, notin, =, ==, !=, gt, lt';
const MAX_TOKENS = 10_000;

/** Models apimachinery/pkg/labels Parse: 'a=b,c!=d,e in (x,y),f notin (z),g,!h,i>1'. Throws 400. */
export function parseLabelSelector(text: string): Requirement[] {
  if (text === '') return [];
  return new Parser(tokenize(text)).parse().sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

function tokenize(text: string): Token[] {
  const found: Token[] = [];
  for (const [part] of text.matchAll(/[=!(),<>]|[^\s=!(),<>]+/g)) {
    const last = found.at(-1);
    if (part === '=' && last && (last.text === '=' || last.text === '!'))
      found[found.length - 1] = { type: 'operator', text: `${last.text}=` };
    else if (part === '=' || part === '<' || part === '>') found.push({ type: 'operator', text: part });
    else if (part === '(' || part === ')' || part === ',' || part === '!') found.push({ type: part, text: part });
    else found.push({ type: 'identifier', text: part });
    if (found.length > MAX_TOKENS) throw badRequest('label selector is too long');
  }
  return found;
}

class Parser {
  private at = 0;
  constructor(private readonly list: readonly Token[]) {}

  private peek(): Token {
    return this.list[this.at] ?? { type: 'end', text: '' };
  }
  private take(): Token {
    const token = this.peek();
    this.at++;
    return token;
  }

  parse(): Requirement[] {
    const requirements: Requirement[] = [];
    for (;;) {
      const { type, text } = this.peek();
      if (type === 'end') return requirements;
      if (type !== 'identifier' && type !== '!')
        throw badRequest(`found '${text}', expected: !, identifier, or 'end of string'`);
      requirements.push(this.requirement());
      const separator = this.take();
      if (separator.type === 'end') return requirements;
      if (separator.type !== ',') throw badRequest(`found '${separator.text}', expected: ',' or 'end of string'`);
      const next = this.peek();
      if (next.type !== 'identifier' && next.type !== '!')
        throw badRequest(`found '${next.text}', expected: identifier after ','`);
    }
  }

  private requirement(): Requirement {
    const negated = this.peek().type === '!';
    if (negated) this.take();
    const key = this.take();
    if (key.type !== 'identifier') throw fail(`found '${key.text}', expected: identifier`);
    checkKey(key.text);
    const next = this.peek().type;
    if (negated) return { key: key.text, operator: '!', values: [] };
    if (next === 'end' || next === ',') return { key: key.text, operator: 'exists', values: [] };
    const operator = this.take().text;
    switch (operator) {
      case 'in':
      case 'notin':
        return validateRequirement({ key: key.text, operator, values: this.values() });
      case '=':
      case '==':
        return validateRequirement({ key: key.text, operator: 'in', values: [this.exactValue()], exact: true });
      case '!=':
        return validateRequirement({ key: key.text, operator: 'notin', values: [this.exactValue()], exact: true });
      case '>':
        return validateRequirement({ key: key.text, operator: 'gt', values: [this.exactValue()] });
      case '<':
        return validateRequirement({ key: key.text, operator: 'lt', values: [this.exactValue()] });
      default:
        throw fail(`found '${operator}', expected: ${BINARY}`);
    }
  }

  private values(): string[] {
    const open = this.take();
    if (open.type !== '(') throw fail(`found '${open.text}' expected: '('`);
    const values: string[] = [];
    let expectValue = true;
    for (;;) {
      const { type, text } = this.take();
      if (type === ')') {
        if (expectValue) values.push('');
        return [...new Set(values)];
      }
      if (type === ',') {
        if (expectValue) values.push('');
        expectValue = true;
      } else if (type === 'identifier' && expectValue) {
        values.push(text);
        expectValue = false;
      } else
        throw fail(
          expectValue ? `found '${text}', expected: ',', ')' or identifier` : `found '${text}', expected: ',' or ')'`,
        );
    }
  }

  private exactValue(): string {
    const { type, text } = this.peek();
    if (type === 'end' || type === ',') return '';
    this.take();
    if (type !== 'identifier') throw fail(`found '${text}', expected: identifier`);
    return text;
  }
}

const fail = (why: string) => badRequest(`unable to parse requirement: ${why}`);

const NAME = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const PREFIX = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const NAME_RULE =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const KEY_RULE = `${NAME_RULE.replace('name part', 'a valid label key')} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;
const PREFIX_RULE =
  "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const VALUE_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

function checkKey(key: string): void {
  const slash = key.indexOf('/');
  const prefix = slash < 0 ? undefined : key.slice(0, slash);
  const name = key.slice(slash + 1);
  const why = name.includes('/')
    ? KEY_RULE
    : prefix !== undefined && !PREFIX.test(prefix)
      ? PREFIX_RULE
      : !NAME.test(name)
        ? NAME_RULE
        : name.length > 63
          ? 'name part must be no more than 63 bytes'
          : prefix !== undefined && prefix.length > 253
            ? 'prefix part must be no more than 253 bytes'
            : '';
  if (why) throw fail(`<nil>: Invalid value: ${goValue(key)}: ${why}`);
}

const COMPARED: readonly LabelOperator[] = ['gt', 'lt'];

function validateRequirement(requirement: Requirement): Requirement {
  const { key, operator, values } = requirement;
  if (values.length === 0)
    throw fail("values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty");
  values.forEach((value, i) => {
    if (COMPARED.includes(operator) && !/^[+-]?\d+$/.test(value))
      throw fail(
        `values[${i}]: Invalid value: ${goValue(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
      );
    const why =
      value.length > 63 ? 'must be no more than 63 bytes' : value !== '' && !NAME.test(value) ? VALUE_RULE : '';
    if (why) throw fail(`values[${i}][${key}]: Invalid value: ${goValue(value)}: ${why}`);
  });
  return requirement;
}
