import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'ContainerClockSkew',
  about: 'The clocks of containers are wrong.',
  symptoms: 'date in the container is off, certificates are not yet valid or have expired; what sleeps does not notice',
  selects: 'pods',
  lists: ['containers'],
  parameters: {
    offset: { type: 'duration', isSigned: true, about: 'what is added to the time; negative: it is too early' },
  },
  effects: ({ scope, target: { containers }, values }) => [
    { does: 'clock', pods: scope, ...(containers ? { containers } : {}), offsetMs: values.ms('offset') },
  ],
});
