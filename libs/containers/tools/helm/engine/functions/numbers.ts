import { fail, type FunctionTable, int64, toFloat, toInteger, typed } from './typed.js';
import { GoInt } from '../../../go-template/values.js';

type Values = readonly unknown[];

const sum = (values: Values): number => values.reduce<number>((total, value) => total + toInteger(value), 0);
const nonZero = (value: number): number => (value === 0 ? fail('runtime error: integer divide by zero') : value);

function round(value: unknown, digits: unknown): number {
  const scale = 10 ** Math.min(Math.max(toInteger(digits), 0), 15);
  return Math.sign(toFloat(value)) * (Math.floor(Math.abs(toFloat(value)) * scale + 0.5) / scale);
}

/** Functions of sprig's numeric.go. */
export const NUMBERS: FunctionTable = {
  int: typed('a', (value: unknown) => new GoInt(toInteger(value))),
  int64: typed('a', (value: unknown) => int64(toInteger(value))),
  float64: typed('a', toFloat),
  atoi: typed('s', (text: string) => new GoInt(/^[-+]?\d+$/.test(text) ? Number(text) : 0)),
  toDecimal: typed('a', (value: unknown) => int64(Number.parseInt(String(toInteger(value)), 8) || 0)),
  add: typed('a*', (...values: Values) => int64(sum(values))),
  add1: typed('a', (value: unknown) => int64(toInteger(value) + 1)),
  sub: typed('aa', (a: unknown, b: unknown) => int64(toInteger(a) - toInteger(b))),
  mul: typed('aa*', (...values: Values) => int64(values.reduce<number>((total, value) => total * toInteger(value), 1))),
  div: typed('aa', (a: unknown, b: unknown) => int64(Math.trunc(toInteger(a) / nonZero(toInteger(b))))),
  mod: typed('aa', (a: unknown, b: unknown) => int64(toInteger(a) % nonZero(toInteger(b)))),
  max: typed('aa*', (...values: Values) => int64(Math.max(...values.map(toInteger)))),
  biggest: typed('aa*', (...values: Values) => int64(Math.max(...values.map(toInteger)))),
  min: typed('aa*', (...values: Values) => int64(Math.min(...values.map(toInteger)))),
  maxf: typed('aa*', (...values: Values) => Math.max(...values.map(toFloat))),
  minf: typed('aa*', (...values: Values) => Math.min(...values.map(toFloat))),
  addf: typed('a*', (...values: Values) => values.reduce<number>((total, value) => total + toFloat(value), 0)),
  subf: typed('aa', (a: unknown, b: unknown) => toFloat(a) - toFloat(b)),
  mulf: typed('aa*', (...values: Values) => values.reduce<number>((total, value) => total * toFloat(value), 1)),
  divf: typed('aa', (a: unknown, b: unknown) => toFloat(a) / toFloat(b)),
  ceil: typed('a', (value: unknown) => Math.ceil(toFloat(value))),
  floor: typed('a', (value: unknown) => Math.floor(toFloat(value))),
  round: typed('aa', round),
};
