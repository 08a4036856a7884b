import type { IDataObject } from 'n8n-workflow';

import type { Sandbox, SandboxOptions } from '../../sandbox/index.mts';
import type { Transaction } from '../../sandbox/world/world.mts';

/** Drafts for Transaction: Check, made at the sandbox without the node. */

export interface CheckedDraft {
	platform: 'business' | 'realEstate';
	/** What differs of the request. */
	fields?: IDataObject;
	/** The bodies of Add Document, without the file. */
	documents?: IDataObject[];
	/** The XML of its eNote. */
	enote?: string;
	/** The sample that each document is made of. */
	sample?: string;
}

export interface CheckCase extends CheckedDraft {
	name: string;
	/** What kind of service it is. */
	options?: SandboxOptions;
	/** What happens to the draft before it's checked. */
	then?: (transaction: Transaction, sandbox: Sandbox) => void | Promise<void>;
	/** The eNote that is at hand. */
	file?: string;
	/** What is found besides what is well, as `code: state`, in the order of the output. */
	found: string[];
}

export const JANE: IDataObject = {
	email: 'jane.borrower@example.com',
	first_name: 'Jane',
	middle_name: 'Ann',
	last_name: 'Borrower',
	phone_number: '6175550123',
	external_id: 'borrower-1',
};
export const JOHN: IDataObject = {
	...JANE,
	email: 'john.borrower@example.com',
	first_name: 'John',
	middle_name: 'Paul',
	external_id: 'borrower-2',
};

export const PLACE: IDataObject = {
	signer_identifier: 'borrower-1',
	type: 'signature',
	page_number: 0,
	x: 72,
	y: 180,
	width: 200,
	height: 28,
};

export const DEED: IDataObject = { filename: 'Deed of Trust', requirement: 'notarization' };
export const AFFIDAVIT: IDataObject = { filename: 'Affidavit', requirement: 'esign' };

/** An eNote of these people, each by the attributes of the industry's XML. */
export const enoteOf = (...borrowers: string[]): string =>
	`<?xml version="1.0"?>
<SMART_DOCUMENT MISMOVersionIdentifier="1.02">
	<DATA><MAIN><LOAN>${borrowers.map((names) => `<BORROWER ${names}/>`).join('')}</LOAN></MAIN></DATA>
</SMART_DOCUMENT>`;
export const JANES_ENOTE = enoteOf('_FirstName="JANE" _MiddleName="ANN" _LastName="BORROWER"');

const FIELDS: Record<CheckedDraft['platform'], IDataObject> = {
	business: { draft: true, transaction_name: 'Power of attorney', signers: [JANE] },
	realEstate: {
		transaction_type: 'trailing_docs',
		signers: [JANE],
		street_address: { line1: '100 Harbor Street', city: 'Boston', state: 'MA', postal: '02110' },
		recording_jurisdiction_id: 'rlboston',
		title_agency_id: 'or_agency_harbor',
	},
};

/**
 * Makes a draft and lets the service process its documents.
 * @returns its ID
 */
export async function makeCheckedDraft(
	sandbox: Sandbox,
	{ platform, fields, documents = [DEED], enote, sample = 'deed-of-trust' }: CheckedDraft,
): Promise<string> {
	const prefix = platform === 'business' ? '' : '/mortgage/v2';
	const call = async (path: string, body: IDataObject) => {
		const answer = await fetch(`${sandbox.url}${prefix}/transactions${path}`, {
			method: 'POST',
			headers: { ApiKey: sandbox.keys.full, 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		const said = await answer.text();
		if (!answer.ok) throw new Error(`${path} ${JSON.stringify(body)}: ${said}`);
		return JSON.parse(said) as IDataObject;
	};
	const { id } = await call('', { ...FIELDS[platform], ...fields });
	const resource = `${sandbox.url}/samples/${sample}.pdf`;
	for (const document of documents)
		await call(`/${String(id)}/documents`, { resource, ...document });
	if (enote !== undefined)
		await call(`/${String(id)}/enote`, {
			type: 'ENOTE',
			file: Buffer.from(enote).toString('base64'),
		});
	await sandbox.clock.advance(sandbox.world.settings.processingMs);
	return String(id);
}

export const business = { platform: 'business' } as const;
export const closing = { platform: 'realEstate' } as const;
export const signers = (...all: IDataObject[]) => ({ fields: { signers: all } });
export const without = (signer: IDataObject, ...names: string[]): IDataObject =>
	Object.fromEntries(Object.entries(signer).filter(([name]) => !names.includes(name)));
export const GROUP = {
	...without(JANE, 'email', 'first_name', 'middle_name', 'last_name'),
	recipient_group: { shared_inbox_email: 'notes@example.com' },
};
export const BY_SMS = {
	knowledge_based_authentication: false,
	multi_factor_authentication: { type: 'sms' },
};
export const SIGNED = { ...AFFIDAVIT, signing_designations: [PLACE] };
export const NOTARY_ONLY = {
	...AFFIDAVIT,
	signing_designations: [{ ...PLACE, signer_identifier: 'notary' }],
};
export const TAGGED = { ...AFFIDAVIT, text_tag_syntax: 'standard' };
/** Some answers don't show whose designations are. */
export const WHOSE = 'designation_signers: unknown';

/** Sends a transaction without the node. */
export async function send(
	id: string,
	platform: CheckedDraft['platform'],
	url: string,
	key: string,
): Promise<void> {
	const path = platform === 'business' ? 'notarization_ready' : 'place_order';
	const prefix = platform === 'business' ? '' : '/mortgage/v2';
	const answer = await fetch(`${url}${prefix}/transactions/${id}/${path}`, {
		method: 'POST',
		headers: { ApiKey: key },
	});
	if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
}
