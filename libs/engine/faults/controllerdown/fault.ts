import { defineFault } from '../fault-type.js';
import { CONTROLLER_NAMES, controllerNamed } from './names.js';

export const fault = defineFault({
  name: 'ControllerDown',
  about: 'Single controllers do nothing, while their process runs: target.controllers.',
  symptoms: 'what they keep true is not any more: no ReplicaSets, no endpoints, no garbage collection',
  selects: 'cluster',
  lists: ['controllers'],
  needs: ['controllers'],
  knows: { controllers: { names: CONTROLLER_NAMES, isKnown: (name) => controllerNamed(name) !== undefined } },
  effects: ({ target: { controllers = [] } }) => [
    { does: 'controller', controllers: controllers.map((name) => controllerNamed(name) ?? name) },
  ],
});
