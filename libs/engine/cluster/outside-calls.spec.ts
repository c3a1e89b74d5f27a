import { expect, test } from '@jest/globals';
import {
  ComponentNeeded,
  OutsideCallsNeeded,
  type OutsideAnswer,
  type OutsideCall,
} from '../machinery/requests/http.js';
import { OutsideCalls } from './outside-calls.js';

const call = { key: 'a' } as OutsideCall;
const answer = { status: 200, body: '{}' } as OutsideAnswer;
const record = (...answers: [string, OutsideAnswer][]) => ({ stream: 0, answers: new Map(answers), waitedMs: 100 });

test('a request gets the answers that there are, and asks for those that there are not', () => {
  const calls = new OutsideCalls();
  expect(calls.run(record(['a', answer]), () => calls.ask(call))).toBe(answer);
  expect(() => calls.run(record(['b', answer]), () => calls.ask(call))).toThrow(OutsideCallsNeeded);
});

test('nothing is asked for components, nor after a request has failed', () => {
  const calls = new OutsideCalls();
  expect(calls.ask(call)).toBeUndefined();
  expect(() => calls.run(record(), () => calls.ask(call))).toThrow(OutsideCallsNeeded);
  expect(calls.ask(call)).toBeUndefined();
});

test('nothing is asked of a host that makes no calls', () => {
  const calls = new OutsideCalls();
  expect(calls.run({ ...record(), answers: undefined }, () => calls.ask(call))).toBeUndefined();
});

test('a request waits for a component no longer than it says, and a component never', () => {
  const calls = new OutsideCalls();
  expect(() => calls.run(record(), () => calls.waitForComponent(101))).toThrow(ComponentNeeded);
  calls.run(record(), () => calls.waitForComponent(100));
  calls.waitForComponent(101);
});

test('a request that is sent within another one has a record of its own', () => {
  const calls = new OutsideCalls();
  const inner = { ...record(), answers: undefined, waitedMs: 0 };
  calls.run(record(['a', answer]), () => {
    expect(() => calls.run(inner, () => calls.waitForComponent(1))).toThrow(ComponentNeeded);
    calls.waitForComponent(100);
    expect(calls.ask(call)).toBe(answer);
  });
});
