import { updateDemoImage } from '../../programs/update-demo.js';

export const image = updateDemoImage('nautilus');
