import type { Operation } from '../core/operation';
import { verifyAddress } from './address/verify.operation';
import { addDocument } from './document/add.operation';
import { downloadDocument } from './document/download.operation';
import { addEnote } from './enote/add.operation';
import { downloadIdentityImages } from './notarizationRecord/downloadIdentityImages.operation';
import { downloadVideo } from './notarizationRecord/downloadVideo.operation';
import { getNotarizationRecord } from './notarizationRecord/get.operation';
import { createClosing } from './transaction/createClosing.operation';
import { getTransaction } from './transaction/get.operation';
import { getManyTransactions } from './transaction/getAll.operation';
import { getAuditTrail } from './transaction/getAuditTrail.operation';
import { sendTransaction } from './transaction/send.operation';

/** Every operation of the node. A new one is a file and a line here; everything else is derived from this list. */
export const operations: readonly Operation[] = [
	verifyAddress,
	addDocument,
	downloadDocument,
	addEnote,
	downloadIdentityImages,
	downloadVideo,
	getNotarizationRecord,
	createClosing,
	getTransaction,
	getManyTransactions,
	getAuditTrail,
	sendTransaction,
];
