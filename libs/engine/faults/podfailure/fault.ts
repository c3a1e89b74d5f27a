import { defineFault } from '../fault-type.js';

/** Chaos Mesh's, where its chart does not say otherwise. */
const PAUSE_IMAGE = 'gcr.io/google-containers/pause:latest';

export const fault = defineFault({
  name: 'PodFailure',
  about: "Containers' images are replaced by one that does nothing.",
  symptoms:
    'Killing: definition changed; another image in the spec, an annotation for each that was there; no endpoints, or StartError where the image lacks the command',
  selects: 'pods',
  parameters: {
    image: { type: 'text', default: PAUSE_IMAGE, about: 'of all containers meanwhile' },
    experiment: { type: 'text', default: 'fault', about: 'its name in the annotations' },
  },
  effects: ({ pods, values }) => [
    { does: 'image', pods, image: values.text('image'), experiment: values.text('experiment') },
  ],
});
