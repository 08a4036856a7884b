import { ADD_DOCUMENT, createClosing, id, pdfItem, toForm } from '../../../support/closing.mts';
import { BUSINESS, run, sendClosing, UPDATE_CLOSING } from '../../../support/operations.mts';
import { credential, sandbox } from '../../../support/useSandbox.mts';
import { addDeed, draft, on, refuse, sent, type Person } from '../person.mts';

/** Messages of sending, and of what is sent. */

type Play = (person: Person) => Promise<void>;

const update = (closing: string, updateFields: object) => ({
	...UPDATE_CLOSING,
	transactionId: id(closing),
	updateFields,
});
const remove = (closing: string, documentId: unknown, platform = 'realEstate') => ({
	resource: 'document',
	operation: 'delete',
	platform,
	transactionId: id(closing),
	documentId: id(String(documentId)),
});
const sendBusiness = (transaction: string) =>
	on(transaction, 'send', { additionalFields: {} }, 'business');
const business = async (more: object = {}) =>
	String((await run({ ...BUSINESS, ...more })).json.transaction_id);

/** The closing lacks a title agency, in these words of the service; undefined for the sandbox's own. */
const lacksAgency =
	(text?: string): Play =>
	async (person) => {
		const closing = await createClosing(credential(), {
			...toForm({ titleAgencyId: '', paper_note_consent: true }),
		});
		await addDeed(closing);
		if (text !== undefined) refuse('POST', 'place_order', 422, text);
		await person.fails(sendClosing(id(closing)));
		person.reads("'Title Agency' with 'Transaction: Update'", 'execute this node alone');
		const fields = { titleAgencyId: id('or_agency_harbor'), paper_note_consent: true };
		await run(update(closing, fields));
		await person.again('this node', sendClosing(id(closing)));
	};

export const SENDING: Record<string, Play> = {
	'text: enote required': async (person) => {
		const closing = await createClosing(credential());
		await addDeed(closing);
		await person.fails(sendClosing(id(closing)));
		await person.does(
			"'Paper Note Consent' with 'Transaction: Update'",
			update(closing, { paper_note_consent: true }),
		);
		await person.again('execute this node alone', sendClosing(id(closing)));
	},
	'text: lender needs title_agency': lacksAgency(),
	'text: title agency required': lacksAgency('Title agency required'),
	'text: title agency is required': lacksAgency('A title agency is required'),
	'text: need at least 1 document': async (person) => {
		const closing = await createClosing(credential(), {
			...toForm({ paper_note_consent: true }),
		});
		await person.fails(sendClosing(id(closing)));
		person.reads("'Document: Add'");
		await addDeed(closing);
		await run(sendClosing(id(closing)));
	},
	'text: need at least 1 signer': async (person) => {
		const closing = await draft();
		refuse('POST', 'place_order', 422, 'Need at least 1 signer');
		await person.fails(sendClosing(id(closing)));
		await person.does(
			"'Signers' with 'Transaction: Update'",
			update(closing, {
				signers: { row: [{ email: 'jane.borrower@example.com', first_name: 'Jane' }] },
				paper_note_consent: true,
			}),
		);
		await run(sendClosing(id(closing)));
	},
	'text: no signer designations': async (person) => {
		const transaction = await business();
		const deed = { ...ADD_DOCUMENT, platform: 'business', transactionId: id(transaction) };
		const places = [
			{
				signer_identifier: 's1',
				type: 'signature',
				page_number: 0,
				x: 72,
				y: 96,
				width: 180,
				height: 24,
			},
		];
		const esign = {
			...deed,
			requirement: 'esign',
			additionalFields: { flags: ['esign_required'] },
		};
		const items = { items: [await pdfItem()] };
		const { json } = await run(esign, items);
		const text = 'Esign required yet no Signer Designations specified in Document Bundle';
		refuse('POST', 'notarization_ready', 422, text);
		await person.fails(sendBusiness(transaction));
		await person.does("'Document: Delete'", remove(transaction, json.document_id, 'business'));
		await person.does(
			"'Designations' with 'Document: Add'",
			{ ...esign, designationsJson: JSON.stringify(places) },
			items,
		);
		await run(sendBusiness(transaction));
	},
	'text: enabled for notarization or identity confirmation': async (person) => {
		const closing = await createClosing(credential(), {
			...toForm({ paper_note_consent: true }),
		});
		const { json } = await addDeed(closing, { requirement: 'readonly' });
		const text =
			'At least one document needs to be enabled for notarization or identity confirmation';
		refuse('POST', 'place_order', 422, text);
		await person.fails(sendClosing(id(closing)));
		await person.does("'Requirement' with 'Document: Update'", {
			resource: 'document',
			operation: 'update',
			platform: 'realEstate',
			transactionId: id(closing),
			documentId: id(String(json.document_id)),
			updateFields: { requirement: 'notarization' },
		});
		await run(sendClosing(id(closing)));
	},
	'text: not allowed to send transactions': async (person) => {
		const closing = await draft();
		refuse('POST', 'place_order', 403, 'Not allowed to Send Transactions');
		await person.fails(sendClosing(id(closing)));
		await person.again("'API Key'", sendClosing(id(closing)), {
			credential: credential({ apiKey: sandbox.keys.full }),
		});
	},
	'text: transaction has expired': async (person) => {
		const closing = await draft();
		refuse('POST', 'place_order', 422, 'Transaction has expired');
		await person.fails(sendClosing(id(closing)));
		Object.assign(sandbox.world.transactions.get(closing)!, {
			status: 'expired',
			detailedStatus: 'expired',
		});
		const copying = { settingsNotShown: 'consent', copyFilesUnproven: true };
		const { items } = await person.does("'Transaction: Copy'", on(closing, 'copy', copying));
		await run(sendClosing(id(String(items[0].json.transaction_id))));
	},
	'code: wrongState': async (person) => {
		const closing = await sent();
		await person.fails(sendClosing(id(closing)));
		person.reads('Nothing was changed');
		await person.does("'Transaction: Resend Email'", on(closing, 'resendEmail'));
		await person.fails(on(closing, 'recall', { evenIfSent: false }));
		await person.again("'Recall from Signers'", on(closing, 'recall', { evenIfSent: true }));
		await person.fails(on(closing, 'recall', { evenIfSent: false }));
		await person.does("'Transaction: Update'", update(closing, { loan_number: '7010' }));
		await run(sendClosing(id(closing)));
		await person.fails(on(closing, 'delete', { evenIfSent: false }));
		await person.again("'Delete Even if Sent'", on(closing, 'delete', { evenIfSent: true }));
	},
	'code: documentFailed': async (person) => {
		const closing = await createClosing(credential(), {
			...toForm({ paper_note_consent: true }),
		});
		const { json } = await addDeed(closing);
		const document = sandbox.world.transactions.get(closing)!.documents.at(-1)!;
		document.state = 'failed';
		await person.fails(sendClosing(id(closing)));
		person.reads('Nothing was sent', "'Document: Add'");
		await person.does("'Document: Delete'", remove(closing, json.document_id));
		await addDeed(closing);
		await run(sendClosing(id(closing)));
	},
	'text: already been completed by at least 1 signer': async (person) => {
		const closing = await sent();
		refuse('DELETE', closing, 422, 'Transaction has already been completed by at least 1 signer.');
		await person.fails(on(closing, 'delete', { evenIfSent: true }));
		person.reads('ends when the other signers complete');
		await sandbox.act.sign(closing);
		await sandbox.act.notarize(closing);
		expect((await run(on(closing, 'get'))).json.status).toBe('completed');
	},
	'text: cannot be recalled at this time': async (person) => {
		const closing = await sent();
		const text = 'Organization Transaction cannot be recalled at this time.';
		refuse('POST', 'recall', 422, text);
		await person.fails(on(closing, 'recall', { evenIfSent: true }));
		await person.does("'Transaction: Get'", on(closing, 'get'));
	},
	'text: cannot resend email for': async (person) => {
		const closing = await draft();
		await person.fails(on(closing, 'resendEmail'));
		await person.does("'Transaction: Send'", sendClosing(id(closing)));
		await run(on(closing, 'resendEmail'));
	},
	'text: signers do not have a phone number': async (person) => {
		const transaction = await business();
		await addDeed(transaction, { platform: 'business' });
		await run(sendBusiness(transaction));
		await person.fails(on(transaction, 'resendSms', { phoneNumber: '' }, 'business'));
		await person.does("'Phone' of every signer with 'Transaction: Correct Signer'", {
			...on(transaction, 'correctSigner', { signerId: id('s1'), sendAgain: true }, 'business'),
			corrections: { phone_number: '+1 617 555 0123' },
			settingsNotShown: 'none',
			additionalFields: {},
		});
		await run(on(transaction, 'resendSms', { phoneNumber: '' }, 'business'));
		await person.does(
			"'Transaction: Resend Email'",
			on(transaction, 'resendEmail', {}, 'business'),
		);
	},
	'text: could not send sms': async (person) => {
		const closing = await sent();
		refuse('POST', 'send_sms', 422, 'Could not send sms: missing_feature');
		await person.fails(on(closing, 'resendSms'));
		await person.does("'Transaction: Resend Email'", on(closing, 'resendEmail'));
	},
	'text: contact not found for transaction': async (person) => {
		const contacts = {
			row: [
				{ first_name: 'Tom', last_name: 'Title', email: 'tom@example.com', role: 'title_agent' },
			],
		};
		const closing = await sent({ contacts });
		const toContacts = (contactEmail: string) => on(closing, 'resendToContacts', { contactEmail });
		await person.fails(toContacts('nobody@example.com'));
		await person.again("'Contact Email'", toContacts('tom@example.com'));
		await person.again('leave it empty for all', toContacts(''));
	},
	'text: unable to force complete': async (person) => {
		const closing = await draft();
		refuse('POST', 'force_complete', 422, 'Unable to force complete transaction.');
		await person.fails(on(closing, 'forceComplete'));
		await person.does("'Transaction: Send'", sendClosing(id(closing)));
		await run(on(closing, 'forceComplete'));
	},
	'text: not allowed to force complete': async (person) => {
		const closing = await sent();
		const text = 'Not allowed to Force Complete in this environment';
		refuse('POST', 'force_complete', 403, text);
		await person.fails(on(closing, 'forceComplete'));
		person.reads('Let the signers complete the transaction');
		await sandbox.act.sign(closing);
		await sandbox.act.notarize(closing);
		expect((await run(on(closing, 'get'))).json.status).toBe('completed');
	},
	'text: /cannot be (?:edited at this time|modified)/i': async (person) => {
		const closing = await sent();
		const add = { ...ADD_DOCUMENT, transactionId: id(closing) };
		const items = { items: [await pdfItem('borrower-affidavit', 'Affidavit.pdf')] };
		await person.fails(add, items);
		await person.does("'Transaction: Get'", on(closing, 'get'));
		await person.does("'Transaction: Recall'", on(closing, 'recall', { evenIfSent: true }));
		await run(add, items);
	},
};
