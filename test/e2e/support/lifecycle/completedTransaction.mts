import { samplePdf } from '../../../../sandbox/data/samples.mts';
import { createDraftClosing } from '../../../../host/clients/sandboxApi.mts';
import type { Sandbox } from '../../../../sandbox/index.mts';
import type { Platform } from '../../../../sandbox/world/world.mts';

/**
 * Sends a transaction with one document without n8n, as another client of the service would, and has
 * it signed.
 * @returns its ID
 */
export async function completedTransaction(sandbox: Sandbox, platform: Platform): Promise<string> {
	const post = async <T,>(path: string, body: object): Promise<T> => {
		const response = await fetch(sandbox.url + path, {
			method: 'POST',
			headers: { ApiKey: sandbox.keys.full, 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		if (!response.ok) throw new Error(`The sandbox refused ${path}: ${await response.text()}`);
		return (await response.json()) as T;
	};
	const document = async (requirement: string) => ({
		resource: (await samplePdf('deed-of-trust'))!.toString('base64'),
		requirement,
	});
	const processed = async () => await sandbox.clock.advance(sandbox.world.settings.processingMs);
	let id: string;
	if (platform === 'realEstate') {
		id = await createDraftClosing(sandbox, {
			paper_note_consent: true,
			title_agency_id: 'or_agency_harbor',
		});
		await post(`/mortgage/v1/transactions/${id}/documents`, await document('notarization'));
		await processed();
		await post(`/mortgage/v1/transactions/${id}/place_order`, {});
	} else {
		const draft = { draft: true, signers: [{ email: 'kim@example.com' }] };
		({ id } = await post<{ id: string }>('/transactions', draft));
		await post(`/transactions/${id}/documents`, await document('esign'));
		await processed();
		await post(`/transactions/${id}/notarization_ready`, {});
	}
	await sandbox.act.complete(id);
	return id;
}
