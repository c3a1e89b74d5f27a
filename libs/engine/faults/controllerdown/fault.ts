import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'ControllerDown',
  about: 'Single controllers do nothing, while their process runs: target.controllers.',
  symptoms: 'what they keep true is not any more: no ReplicaSets, no endpoints, no garbage collection',
  selects: 'cluster',
  lists: ['controllers'],
  needs: ['controllers'],
  effects: ({ target: { controllers = [] } }) => [{ does: 'controller', controllers }],
});
