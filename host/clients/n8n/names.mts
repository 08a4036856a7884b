/** The names under which n8n knows this package. */
export const PACKAGE_NAME = 'n8n-nodes-sign-and-close';
export const CREDENTIAL_TYPE = 'signAndCloseApi';
