//! The files compiled into every binary, of paytables and of games: file name and text, in the order of their names.

macro_rules! files {
    ($folder:literal $($id:literal)+) => {
        &[$((concat!($id, ".toml"), include_str!(concat!("../", $folder, "/", $id, ".toml")))),+]
    };
}

/// Files of the folder `games`; a test compares this list with the folder.
pub(crate) const GAMES: &[(&str, &str)] = files! {
    "games"
    "caribbean-stud"
    "crazy-4-poker"
    "four-card-poker"
    "let-it-ride"
    "mississippi-stud"
    "texas-hold-em-bonus"
    "ultimate-texas-hold-em"
};

/// Files of the folder `paytables`; a test compares this list with the folder.
pub(crate) const FILES: &[(&str, &str)] = files! {
    "paytables"
    "ma-five-card"
    "ma-five-card-hand-bonus"
    "ma-four-card-a"
    "ma-four-card-b"
    "ma-ptmgl01"
    "ma-ptmgl02"
    "ma-ptmgl04"
    "ma-ptmglml01"
    "ma-ptmglml02"
    "ma-ptmglml03"
    "pa-639a-a"
    "pa-639a-b"
    "pa-639a-c"
    "pa-639a-d"
    "pa-639a-e"
    "pa-639a-f"
    "pa-639a-five-card-hand-bonus"
    "pa-639a-g"
    "pa-639a-h"
    "pa-641a-five-card-a"
    "pa-641a-five-card-b"
    "pa-641a-five-card-c"
    "pa-641a-five-card-d"
    "pa-641a-five-card-hand-bonus"
    "pa-641a-four-card-a"
    "pa-641a-four-card-b"
    "pa-643a-five-card-a"
    "pa-643a-five-card-b"
    "pa-643a-five-card-c"
    "pa-643a-five-card-d"
    "pa-643a-five-card-hand-bonus"
    "pa-643a-three-card-a"
    "pa-643a-three-card-b"
    "pa-647a-a"
    "pa-647a-b"
    "pa-647a-c"
    "pa-647a-d"
    "pa-647a-five-card-hand-bonus"
    "pa-653a-a"
    "pa-653a-b"
    "pa-653a-c"
    "pa-653a-d"
    "pa-653a-five-card-hand-bonus"
    "pa-655a-a"
    "pa-655a-b"
    "pa-655a-c"
    "pa-655a-d"
    "pa-655a-five-card-hand-bonus"
    "pa-657a-five-card-a"
    "pa-657a-five-card-b"
    "pa-657a-five-card-c"
    "pa-657a-five-card-d"
    "pa-657a-five-card-hand-bonus"
    "pa-657a-four-card-a"
    "pa-657a-four-card-b"
};
