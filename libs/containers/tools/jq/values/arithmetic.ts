import type { Budget } from '../evaluate/budget.js';
import { describe } from './json.js';
import { compare, fail, isArray, isObject, type Json, type JsonObject } from './values.js';

const MAX_TEXT = 4 << 20;

type Operator = (a: Json, b: Json, budget: Budget) => Json;

const refuse = (a: Json, b: Json, what: string): never => fail(`${describe(a)} and ${describe(b)} cannot be ${what}`);

const add: Operator = (a, b, budget) => {
  if (a === null) return b;
  if (b === null) return a;
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (typeof a === 'string' && typeof b === 'string') return joinText(a, b, budget);
  if (isArray(a) && isArray(b)) {
    budget.spend(1 + ((a.length + b.length) >> 3));
    return [...a, ...b];
  }
  if (!isObject(a) || !isObject(b)) return refuse(a, b, 'added');
  budget.spend(1 + ((a.size + b.size) >> 3));
  return new Map([...a, ...b]);
};

function joinText(a: string, b: string, budget: Budget): string {
  if (a.length + b.length > MAX_TEXT) return fail('String too long');
  budget.spend(1 + (b.length >> 6));
  return a + b;
}

const subtract: Operator = (a, b, budget) => {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (!isArray(a) || !isArray(b)) return refuse(a, b, 'subtracted');
  budget.spend(1 + a.length * b.length);
  return a.filter((item) => b.every((other) => compare(item, other) !== 0));
};

const multiply: Operator = (a, b, budget) => {
  if (typeof a === 'number' && typeof b === 'number') return a * b;
  if (typeof a === 'string' && typeof b === 'number') return repeat(a, b, budget);
  if (typeof b === 'string' && typeof a === 'number') return repeat(b, a, budget);
  return isObject(a) && isObject(b) ? mergeDeep(a, b, budget) : refuse(a, b, 'multiplied');
};

function repeat(text: string, count: number, budget: Budget): Json {
  if (!(count > 0)) return null;
  const times = count < 1 ? 1 : Math.floor(count);
  if (text.length * times > MAX_TEXT) return fail('Repeat string result too long');
  budget.spend(1 + ((text.length * times) >> 6));
  return text.repeat(times);
}

function mergeDeep(a: JsonObject, b: JsonObject, budget: Budget): JsonObject {
  budget.spend(1 + a.size + b.size);
  const merged = new Map(a);
  for (const [key, value] of b) {
    const own = merged.get(key);
    merged.set(key, own !== undefined && isObject(own) && isObject(value) ? mergeDeep(own, value, budget) : value);
  }
  return merged;
}

const divide: Operator = (a, b, budget) => {
  if (typeof a === 'number' && typeof b === 'number') {
    return b === 0 ? refuse(a, b, 'divided because the divisor is zero') : a / b;
  }
  return typeof a === 'string' && typeof b === 'string' ? splitText(a, b, budget) : refuse(a, b, 'divided');
};

export function splitText(text: string, separator: string, budget: Budget): Json {
  budget.spend(1 + text.length);
  if (text === '') return [];
  return separator === '' ? [...text] : text.split(separator);
}

const toInteger = (value: number): number =>
  Number.isNaN(value) ? 0 : Math.trunc(Math.min(Math.max(value, -9.2e18), 9.2e18));

const modulo: Operator = (a, b) => {
  if (typeof a !== 'number' || typeof b !== 'number') return refuse(a, b, 'divided');
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.NaN;
  const divisor = Math.abs(toInteger(b));
  if (divisor === 0) return refuse(a, b, 'divided because the divisor is zero');
  return toInteger(a) % divisor || 0;
};

export const OPERATORS: Readonly<Record<string, Operator>> = {
  ...{ '+': add, '-': subtract, '*': multiply, '/': divide, '%': modulo },
  '==': (a, b) => compare(a, b) === 0,
  '!=': (a, b) => compare(a, b) !== 0,
  '<': (a, b) => compare(a, b) < 0,
  '<=': (a, b) => compare(a, b) <= 0,
  '>': (a, b) => compare(a, b) > 0,
  '>=': (a, b) => compare(a, b) >= 0,
};

export { add };
