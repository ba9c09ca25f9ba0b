/**
 * A circuit that shows what oidc_domain_attestation shows and proves nothing of it: the same parameters, without hashes
 * and signatures, so that the few real points there are for tests are enough. Everything around it is as with the real
 * one: inputs, witness, proof, verifier contract, and what our server checks of the public words.
 */
export const SMALL_CIRCUIT = `fn main(
    pubkey_modulus_limbs: pub [u128; 18],
    domain: pub BoundedVec<u8, 64>,
    scope: pub [u8; 32],
    nullifier: pub [u8; 32],
    provider: pub u8,
    nonce: pub BoundedVec<u8, 64>,
    iat: pub u64,
    audience: pub BoundedVec<u8, 96>,
    partial_data: BoundedVec<u8, 640>,
    partial_hash: [u32; 8],
    full_data_length: u32,
    base64_decode_offset: u32,
    redc_params_limbs: [u128; 18],
    signature_limbs: [u128; 18],
    email_index: u32,
    email_length: u32,
    email_verified_index: u32,
    nonce_index: u32,
    iat_index: u32,
    audience_index: u32,
) {
    assert(partial_data.len() as u32 <= full_data_length);
    assert(base64_decode_offset < 64);
    assert(email_length > domain.len());
    assert(email_index + email_verified_index + nonce_index + iat_index + audience_index > 0);
    assert(signature_limbs[0] != redc_params_limbs[0]);
    assert(partial_hash[0] != 0);
    assert((pubkey_modulus_limbs[0] != 0) & (provider < 2) & (iat != 0));
    assert((nonce.len() != 0) & (audience.len() != 0) & (scope != nullifier));
}`;
