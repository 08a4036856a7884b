import java.io.*;
import java.math.BigInteger;
import java.security.*;
import java.security.cert.X509Certificate;
import java.util.*;
import org.apache.pdfbox.cos.COSName;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.interactive.digitalsignature.PDSignature;
import org.apache.pdfbox.pdmodel.interactive.form.PDSignatureField;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.*;
import org.bouncycastle.cms.*;
import org.bouncycastle.cms.jcajce.JcaSignerInfoGeneratorBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.jcajce.*;

/** Signs a field of a PDF with a key that is made for it: the file, the signed file, the field's name. */
public class SignWithPdfBox {
	public static void main(String[] arguments) throws Exception {
		KeyPair keys = KeyPairGenerator.getInstance("RSA").generateKeyPair();
		ContentSigner signer = new JcaContentSignerBuilder("SHA256withRSA").build(keys.getPrivate());
		X500Name name = new X500Name("CN=Example Signer");
		Date now = new Date();
		X509Certificate certificate = new JcaX509CertificateConverter().getCertificate(new JcaX509v3CertificateBuilder(
			name, BigInteger.ONE, now, new Date(now.getTime() + 86_400_000L), name, keys.getPublic()).build(signer));
		try (PDDocument document = PDDocument.load(new File(arguments[0])); OutputStream out = new FileOutputStream(arguments[1])) {
			PDSignatureField field = (PDSignatureField) document.getDocumentCatalog().getAcroForm().getField(arguments[2]);
			PDRectangle box = field.getWidgets().get(0).getRectangle();
			PDSignature signature = new PDSignature();
			signature.setFilter(PDSignature.FILTER_ADOBE_PPKLITE);
			signature.setSubFilter(PDSignature.SUBFILTER_ADBE_PKCS7_DETACHED);
			signature.setSignDate(Calendar.getInstance());
			field.getCOSObject().setItem(COSName.V, signature);
			document.addSignature(signature, content -> {
				try {
					CMSSignedDataGenerator generator = new CMSSignedDataGenerator();
					generator.addSignerInfoGenerator(new JcaSignerInfoGeneratorBuilder(
						new JcaDigestCalculatorProviderBuilder().build()).build(signer, certificate));
					generator.addCertificates(new JcaCertStore(List.of(certificate)));
					return generator.generate(new CMSProcessableByteArray(content.readAllBytes()), false).getEncoded();
				} catch (Exception problem) {
					throw new IOException(problem);
				}
			});
			// It makes the box of a signature without a picture empty.
			field.getWidgets().get(0).setRectangle(box);
			document.saveIncremental(out);
		}
	}
}
