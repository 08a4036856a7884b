import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { operations } from './resources';
import { methods } from './resources/dropdowns';
import { ACTION_HINT, withBuilderHints } from './run/nodeForm/builderHints';
import { buildProperties, buildSubtitle } from './run/nodeForm/nodeProperties';
import { withToolForm } from './run/nodeForm/toolForm';
import { runItems } from './run/runItems';

/**
 * The action node. Its parameters, its subtitle and what it runs are derived from the list of
 * operations.
 */
export class SignAndClose implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Sign and Close',
		name: 'signAndClose',
		icon: {
			light: 'file:../../icons/signAndClose.svg',
			dark: 'file:../../icons/signAndClose.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(operations),
		description: 'Online signing, notarization and real-estate closings',
		defaults: { name: 'Sign and Close' },
		parameterPane: 'wide',
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'signAndCloseApi', required: true }],
		builderHint: ACTION_HINT,
		properties: withBuilderHints(withToolForm(buildProperties(operations), operations)),
	};

	methods = methods;

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runItems(this, operations);
	}
}
