/** Name of this server in client configurations. */
export const serverName = 'serena';
