/** A pod of a job: it ends. */
export const pod = { containers: [{ name: 'pi', image: 'perl:5.34' }], restartPolicy: 'Never' };
