import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';
import { Faults, Scenarios } from '../../kinds/index.js';

const phases = (bed: FaultBed): string[] =>
  bed.client.list(Faults).map(({ metadata, status }) => `${metadata.name} ${status.phase}`);

test('faults follow each other, and the last one ends with the scenario', () => {
  const bed = new FaultBed();
  bed.create(Scenarios, 's', {
    spec: {
      steps: [
        { name: 'scheduler', fault: { type: 'SchedulerDown', duration: '20s' } },
        { name: 'registry', delay: '10s', fault: { type: 'RegistryDown' } },
        { delay: '15s' },
      ],
    },
  });
  expect(phases(bed.at(10))).toEqual(['s-1 Active']);
  expect(phases(bed.at(25))).toEqual(['s-1 Finished']);
  expect(phases(bed.at(31))).toEqual(['s-1 Finished', 's-2 Active']);
  expect(bed.get(Scenarios, 's').status.phase).toBe('Running');
  expect(phases(bed.at(46))).toEqual(['s-1 Finished', 's-2 Finished']);
  expect(bed.get(Scenarios, 's').status.phase).toBe('Finished');
});

test('its faults go with it', () => {
  const bed = new FaultBed();
  bed.create(Scenarios, 's', { spec: { steps: [{ fault: { type: 'SchedulerDown', duration: '1h' } }] } });
  bed.at(5);
  bed.client.delete(Scenarios, { namespace: '', name: 's' });
  expect(phases(bed.at(30))).toEqual([]);
});

test('it is ended', () => {
  const bed = new FaultBed();
  bed.create(Scenarios, 's', { spec: { steps: [{ fault: { type: 'SchedulerDown', duration: '1h' } }] } });
  const scenario = bed.at(5).get(Scenarios, 's');
  bed.client.update(Scenarios, { ...scenario, spec: { ...scenario.spec, ended: true } });
  expect(phases(bed.at(6))).toEqual(['s-1 Finished']);
});
