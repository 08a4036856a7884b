import type { IDataObject } from 'n8n-workflow';

import { signerOf } from './signers.mts';
import type { Answer, AskedFor, Script } from './service.mts';

/**
 * A service that has one transaction and answers as recorded answers do: what is unset is left out,
 * and so are the fields of signers that only the schema has (docs/service/signers.md#signer-answer).
 * It shares no code with the sandbox.
 */

export interface Held {
	fields: IDataObject;
	/** As they were sent, with all that no answer shows. */
	signers: IDataObject[];
	status: string;
	detailed_status: string;
}

interface Behaviour {
	/** Whether a PUT keeps what isn't sent. */
	put: 'merge' | 'replace';
	/** What becomes of a signer that is sent; the service may ignore it or write it in its own way. */
	take?: (sent: IDataObject, index: number) => IDataObject;
	/** Answers a request in another way than a service should; undefined for the usual way. */
	disturb?: (request: AskedFor, usual: () => Answer) => Answer | undefined;
}

/** Plays the service. `held` is changed by requests. */
export function changingService(held: Held, { put, take, disturb }: Behaviour): Script {
	const usual = (request: AskedFor): Answer => {
		const { method, path } = request;
		const body = (request.body || {}) as IDataObject;
		if (path.endsWith('/recall')) {
			held.status = 'started';
			held.detailed_status = 'recalled';
		} else if (path.endsWith('/place_order') || path.endsWith('/notarization_ready')) {
			held.status = 'sent';
			held.detailed_status = 'sent_to_signer';
		} else if (method === 'PUT' || method === 'PATCH') {
			const { signer, cosigner, signers, ...fields } = body;
			held.fields = put === 'merge' || method === 'PATCH' ? { ...held.fields, ...fields } : fields;
			const sent = [signers ?? [signer, cosigner]].flat().filter(Boolean) as IDataObject[];
			if (sent.length > 0)
				held.signers = sent.map((one, index) => {
					const taken = take?.(one, index) ?? one;
					return put === 'merge' && method === 'PUT' ? { ...held.signers[index], ...taken } : taken;
				});
		}
		return { body: shown(held) };
	};
	return (request) => disturb?.(request, () => usual(request)) ?? usual(request);
}

/** The answer. Nothing of it is set that was not sent. */
function shown({ fields, signers, status, detailed_status }: Held): IDataObject {
	const { recording_jurisdiction_id: place, ...others } = fields;
	delete others.paper_note_consent;
	return {
		id: 'ot_held001',
		organization_id: 'or_od4kenk',
		status,
		detailed_status,
		documents: [
			{ id: 'do_1', document_name: 'Deed', bundle_position: 0, signing_designations: [] },
		],
		...others,
		...(place !== undefined && { recording_jurisdiction: { id: place } }),
		signers: signers.map(signerOf),
	};
}
