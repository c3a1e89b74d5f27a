import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('nothing follows from a Deployment until it is back', () => {
  const bed = new FaultBed();
  bed.at(5).fault('ControllerManagerDown', { duration: '1m' });
  bed.at(6).deployment('web');
  expect(bed.at(60).pods('web')).toHaveLength(0);
  expect(bed.systemState('kube-controller-manager-control-plane')).toMatch(/^(CrashLoopBackOff|Error) [1-9]/);
  expect(bed.at(400).pods('web')).toHaveLength(1);
});
