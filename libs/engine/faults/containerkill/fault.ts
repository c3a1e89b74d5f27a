import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'ContainerKill',
  about: 'Main processes are killed once.',
  symptoms: 'a restart, last state Error with exit code 137',
  selects: 'pods',
  lists: ['containers'],
  effects: ({ scope, target: { containers } }) => [
    { does: 'process', pods: scope, ...(containers ? { containers } : {}), act: 'exit', code: 137 },
  ],
});
