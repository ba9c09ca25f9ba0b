/** Client ids at the development identity provider, as the deployment description names them. */
export const WEB_CLIENT_ID = "parley-web";
export const DEVICE_CLIENT_ID = "parley-agent";
