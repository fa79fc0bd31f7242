//! Secrets that nobody guesses: the token on the address, and the session's name in the cookie.

/// A new secret: 32 random bytes as hexadecimal digits.
pub fn secret() -> Result<String, getrandom::Error> {
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Whether two secrets are the same, in a time that does not tell where they differ.
pub fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let differing = one.iter().zip(other).fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differing == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_long_differ_and_are_compared_whole() {
        let (one, other) = (secret().unwrap(), secret().unwrap());
        assert_eq!(one.len(), 64);
        assert_ne!(one, other);
        assert!(is_same(&one, &one.clone()));
        assert!(!is_same(&one, &other) && !is_same(&one, &one[..63]) && !is_same("", "a"));
    }
}
