import com.itextpdf.text.pdf.*;
import com.itextpdf.text.pdf.security.*;
import java.io.FileOutputStream;
import java.math.BigInteger;
import java.security.*;
import java.security.cert.Certificate;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.*;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Signs a field of a PDF with a key that is made for it: the file, the signed file, the field's name. */
public class SignWithIText {
	public static void main(String[] arguments) throws Exception {
		Security.addProvider(new BouncyCastleProvider());
		KeyPair keys = KeyPairGenerator.getInstance("RSA").generateKeyPair();
		X500Name name = new X500Name("CN=Example Signer");
		Date now = new Date();
		Certificate certificate = new JcaX509CertificateConverter().getCertificate(new JcaX509v3CertificateBuilder(
			name, BigInteger.ONE, now, new Date(now.getTime() + 86_400_000L), name, keys.getPublic())
			.build(new JcaContentSignerBuilder("SHA256withRSA").build(keys.getPrivate())));
		PdfStamper stamper = PdfStamper.createSignature(
			new PdfReader(arguments[0]), new FileOutputStream(arguments[1]), '\0', null, true);
		PdfSignatureAppearance appearance = stamper.getSignatureAppearance();
		appearance.setVisibleSignature(arguments[2]);
		MakeSignature.signDetached(appearance, new BouncyCastleDigest(),
			new PrivateKeySignature(keys.getPrivate(), DigestAlgorithms.SHA256, "BC"), new Certificate[] {certificate},
			null, null, null, 0, MakeSignature.CryptoStandard.CMS);
	}
}
