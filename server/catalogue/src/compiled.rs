//! The paytable files that every binary carries: file name and text, in the order of their names.

macro_rules! files {
    ($($id:literal)+) => {
        &[$((concat!($id, ".toml"), include_str!(concat!("../paytables/", $id, ".toml")))),+]
    };
}

/// The files of the folder `paytables`; a test compares this list with the folder.
pub(crate) const FILES: &[(&str, &str)] = files! {
    "pa-657a-five-card-a"
    "pa-657a-five-card-b"
    "pa-657a-five-card-c"
    "pa-657a-five-card-d"
    "pa-657a-five-card-hand-bonus"
    "pa-657a-four-card-a"
    "pa-657a-four-card-b"
};
