import { expect, test } from '@jest/globals';
import { widget, Widgets } from '../../runtime/testing.js';
import { COMPONENT, TestStore } from './testing.js';
import { CreateWrite, runSteps, type Step } from './write.js';

test('the steps run in their order, until one sets the result', () => {
  const calls: string[] = [];
  const step =
    (name: string): Step<CreateWrite> =>
    () =>
      void calls.push(name);
  const end: Step<CreateWrite> = (write) => void (write.result = write.draft);
  const write = new CreateWrite(new TestStore().store, Widgets, widget('a'), COMPONENT);
  runSteps([step('first'), step('second'), end, step('third')], write);
  expect([calls, write.result]).toEqual([['first', 'second'], write.draft]);
});
