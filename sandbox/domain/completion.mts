/**
 * The end of a transaction: the finished documents and the audit trail are made, then the webhooks
 * are told (docs/service/states.md#fixed-behaviours).
 */

import { finalDocument } from './documents/finalDocument.mts';
import { linesPdf } from './documents/pdf.mts';
import { notaryOf } from './notaries.mts';
import { fullName } from './people/signers.mts';
import { STATES, type State } from './states.mts';
import { move } from './transitions.mts';
import type { Transaction, World } from '../world/world.mts';

const VERIFICATION = 'transaction.transaction.automated_identity_verification_by_idv_service';
/** The states that tell how an automated verification of identities has ended. */
const VERIFICATIONS: Record<string, string> = {
	[STATES.identityConfirmed.detailedStatus]: `${VERIFICATION}_passed`,
	[STATES.identityNotConfirmed.detailedStatus]: `${VERIFICATION}_failed`,
};

/** Everybody has signed, and a notary has notarized what needs it. */
export async function complete(world: World, transaction: Transaction): Promise<void> {
	await end(world, transaction, completedState(transaction), 'all documents are finished');
}

/** A document has been rejected, or an identity could not be confirmed. */
export async function completeWithRejections(
	world: World,
	transaction: Transaction,
	state: typeof STATES.rejected | typeof STATES.identityNotConfirmed,
): Promise<void> {
	await end(world, transaction, state, 'ended with rejections');
}

/** How a transaction without rejections ends (docs/service/states.md#detailed-status). */
function completedState({ fields, onPaper, documents: all }: Transaction) {
	if (onPaper === true || fields.transaction_type === 'wet_sign') return STATES.signedOnPaper;
	const documents = all.filter(({ isConsentForm }) => !isConsentForm);
	const identityOnly =
		documents.length > 0 &&
		documents.every(({ requirement }) => requirement === 'identity_confirmation');
	return identityOnly ? STATES.identityConfirmed : STATES.completed;
}

async function end(
	world: World,
	transaction: Transaction,
	state: Required<State>,
	text: string,
): Promise<void> {
	const notary = notaryOf(world, transaction);
	for (const document of transaction.documents) {
		if (document.state === 'pending') document.state = 'done';
		document.final = await finalDocument(transaction, document, notary);
		document.updated = world.clock.stamp();
	}
	for (const signer of transaction.signers) signer.signing_status = 'complete';
	// Where the signer pays, a transaction is completed before its documents are released.
	transaction.released = transaction.fields.payer !== 'signer';
	transaction.outcome = state;
	move(
		world,
		transaction,
		transaction.released ? state : { ...state, ...STATES.awaitingPayment },
		text,
	);
	await makeReports(world, transaction);
	const { signers } = transaction;
	const verification = VERIFICATIONS[state.detailedStatus];
	if (verification !== undefined) world.emit(verification, transaction, { signers });
	world.emit(`transaction.${state.status}`, transaction, { signers });
	if (transaction.released) world.emit('transaction.released', transaction);
}

/** The PDFs that tell what happened, what it costs, and whose identity was checked. */
async function makeReports({ settings }: World, transaction: Transaction): Promise<void> {
	const { id, organization, signers, documents, auditLog } = transaction;
	const head = [`Transaction ${id}`, `Organization ${organization}`, ''];
	transaction.auditTrail = await linesPdf('Audit trail', [...head, ...auditLog]);
	transaction.chargeStatement = await linesPdf('Charge statement', [
		...head,
		`${documents.length} documents, ${signers.length} signers`,
	]);
	transaction.attachment = await linesPdf('Receipt', head);
	const isChecked =
		signers.some((signer) => signer[settings.assuranceField] !== undefined) ||
		documents.some(({ requirement }) => requirement === 'identity_confirmation');
	if (isChecked)
		transaction.identityReport = await linesPdf('Identity report', [
			...head,
			...signers.map((signer) => `Checked: ${fullName(signer)}`),
		]);
}
