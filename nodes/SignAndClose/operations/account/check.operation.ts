import { defineOperation } from '../../core/operation';
import { checkedPlatforms, linesOf, readProbes, summaryOf } from '../../fields/account/checks';
import { probeAll } from '../../service/resources/account/probes';
import { keyState, layoutState } from '../../service/resources/account/verdicts';

/**
 * Shows what the API key reaches, as one item for each thing checked
 * (docs/service/api.md#what-a-key-reaches). What is refused is what was to be known, so the
 * operation only fails when nothing can be asked. All of its requests are reads.
 */
export const checkAccount = defineOperation({
	resource: 'account',
	value: 'check',
	name: 'Check',
	action: 'Check account',
	description:
		'Show which organization, platforms and features your API key reaches. Changes nothing.',
	kind: 'read',
	properties: [checkedPlatforms],
	async execute({ context, service, params }) {
		const findings = await probeAll(service, readProbes(params));
		const layout = await layoutState(service, findings);
		context.getExecutionCancelSignal()?.throwIfAborted();
		const lines = linesOf(findings, keyState(findings), layout);
		const hint = summaryOf(lines);
		return lines.map((json, index) => (index === 0 ? { json, hint } : { json }));
	},
});
