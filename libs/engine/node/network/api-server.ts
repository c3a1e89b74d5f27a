/** The API server's port on a node of the control plane. */
export const API_SERVER_PORT = 6_443;
