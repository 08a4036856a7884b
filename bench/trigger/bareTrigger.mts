import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { WorkflowNode } from '../../host/clients/n8n/types.mts';

/**
 * The simplest trigger that a package can have: it passes the body on and checks nothing. Its time is
 * n8n's share; what our trigger takes beyond that is our own.
 */

const SOURCE = `exports.BareTrigger = class {
	description = { displayName: 'Bare Trigger', name: 'bareTrigger', group: ['trigger'], version: 1, description: '', defaults: { name: 'Bare' }, inputs: [], outputs: ['main'],
		webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'bare' }], properties: [] };
	webhookMethods = { default: { checkExists: async () => true, create: async () => true, delete: async () => true } };
	async webhook() { return { workflowData: [[{ json: this.getBodyData() }]] }; }
};`;
const WEBHOOK_ID = '7f3c0d0e-0000-4000-8000-000000000005';

/**
 * Puts the trigger where n8n finds nodes of one's own.
 * @param folder a temporary folder
 * @returns what n8n's environment must say
 */
export function installBareTrigger(folder: string): Record<string, string> {
	const customNodes = join(folder, 'custom');
	mkdirSync(customNodes);
	writeFileSync(join(customNodes, 'BareTrigger.node.js'), SOURCE);
	return { N8N_CUSTOM_EXTENSIONS: customNodes };
}

/** The trigger in a workflow. There's one in an n8n, because its address is fixed. */
export const bareTrigger: WorkflowNode = {
	id: 'bare',
	name: 'Bare',
	type: 'CUSTOM.bareTrigger',
	typeVersion: 1,
	position: [0, 0],
	webhookId: WEBHOOK_ID,
	parameters: {},
};

/** Its address in the n8n with this base URL. */
export const bareTriggerUrl = (baseUrl: string) => `${baseUrl}/webhook/${WEBHOOK_ID}/bare`;
