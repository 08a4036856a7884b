/** Small files for what the service makes itself. */

export function samplePdf(text: string): Buffer {
	return Buffer.from(
		`%PDF-1.4\n% ${text}\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n` +
			'2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj\n' +
			'3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>> endobj\n' +
			'trailer <</Root 1 0 R>>\n%%EOF\n',
	);
}

export const SAMPLE_IMAGE = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
	'base64',
);

export const SAMPLE_VIDEO = Buffer.concat([
	Buffer.from('0000001866747970', 'hex'),
	Buffer.from('isom0000isommp42'),
	Buffer.alloc(20_000, 7),
]);
