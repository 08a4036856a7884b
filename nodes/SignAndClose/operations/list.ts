/*
 * Every operation of the node by name. `npm run generate` writes this list from the files beside
 * it; dropdowns, fields and dispatch follow from it.
 */
export { checkAccount } from './account/check.operation';
export { verifyAddress } from './address/verify.operation';
export { addDocument } from './document/add.operation';
export { deleteDocument } from './document/delete.operation';
export { downloadDocument } from './document/download.operation';
export { getDocument } from './document/get.operation';
export { getManyDocuments } from './document/getAll.operation';
export { importDocuments } from './document/import.operation';
export { updateDocument } from './document/update.operation';
export { addEnote } from './enote/add.operation';
export { deleteEnote } from './enote/delete.operation';
export { downloadIdentityImages } from './notarizationRecord/downloadIdentityImages.operation';
export { downloadVideo } from './notarizationRecord/downloadVideo.operation';
export { getNotarizationRecord } from './notarizationRecord/get.operation';
export { getManyNotarizationRecords } from './notarizationRecord/getAll.operation';
export { getNotary } from './notary/get.operation';
export { getManyNotaries } from './notary/getAll.operation';
export { getEligibleNotaries } from './notary/getEligible.operation';
export { getManyRecordingJurisdictions } from './recordingJurisdiction/getAll.operation';
export { getManyTemplates } from './template/getAll.operation';
export { getManyTitleAgencies } from './titleAgency/getAll.operation';
export { correctSigner } from './transaction/correctSigner.operation';
export { createTransaction } from './transaction/create.operation';
export { createClosing } from './transaction/createClosing.operation';
export { deleteTransaction } from './transaction/delete.operation';
export { forceCompleteTransaction } from './transaction/forceComplete.operation';
export { getTransaction } from './transaction/get.operation';
export { getManyTransactions } from './transaction/getAll.operation';
export { getAuditTrail } from './transaction/getAuditTrail.operation';
export { recallTransaction } from './transaction/recall.operation';
export { resendEmail } from './transaction/resendEmail.operation';
export { resendSms } from './transaction/resendSms.operation';
export { resendToContacts } from './transaction/resendToContacts.operation';
export { sendTransaction } from './transaction/send.operation';
export { updateTransaction } from './transaction/update.operation';
export { getManyUnderwriters } from './underwriter/getAll.operation';
export { createWebhook } from './webhook/create.operation';
export { deleteWebhook } from './webhook/delete.operation';
export { getWebhook } from './webhook/get.operation';
export { getManyWebhooks } from './webhook/getAll.operation';
export { getWebhookEventTypes } from './webhook/getEventTypes.operation';
export { getWebhookEvents } from './webhook/getEvents.operation';
export { getMissedEvents } from './webhook/getMissedEvents.operation';
export { updateWebhook } from './webhook/update.operation';
