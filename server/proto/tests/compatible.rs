//! Today's messages beside those of release 0.1.0: a program of either reads what the other writes.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests, where the panic is the message"
)]

use protox::prost_reflect::{
    DescriptorPool, FieldDescriptor, MessageDescriptor, MethodDescriptor, OneofDescriptor,
};

/// Files of release 0.1.0, and those of today.
const BASELINE: &str = "../../tests/baseline/0.1.0/proto";
const TODAY: &str = "../../proto";
const FILES: [&str; 2] = [
    "meterhouse/table/v1/table_gateway.proto",
    "meterhouse/feed/v1/meter_feed.proto",
];

fn read(root: &str, files: &[&str]) -> DescriptorPool {
    let set = protox::compile(files, [root]).unwrap();
    DescriptorPool::from_file_descriptor_set(set).unwrap()
}

/// Returns the form of a field on the wire and in generated code, without its number.
fn form(field: &FieldDescriptor) -> String {
    let union = field.containing_oneof();
    let union = union.as_ref().map(OneofDescriptor::name);
    let (kind, cardinality) = (field.kind(), field.cardinality());
    format!("{} {kind:?} {cardinality:?} {union:?}", field.name())
}

fn of_messages(old: &MessageDescriptor, new: &MessageDescriptor, found: &mut Vec<String>) {
    let name = old.full_name();
    for field in old.fields() {
        let number = field.number();
        match new.get_field(number) {
            Some(now) if form(&now) == form(&field) => {}
            Some(now) => found.push(format!(
                "{name} {number}: was `{}`, is `{}`",
                form(&field),
                form(&now)
            )),
            None if new.reserved_ranges().any(|range| range.contains(&number)) => {}
            None => found.push(format!("{name} {number}: is gone and not reserved")),
        }
    }
    for range in old.reserved_ranges() {
        let used = new.fields().map(|field| field.number());
        for number in used.filter(|number| range.contains(number)) {
            found.push(format!("{name} {number}: was reserved"));
        }
    }
}

/// Returns a line for each place where a program of one release misreads the other's messages.
fn differences(old: &DescriptorPool, new: &DescriptorPool) -> Vec<String> {
    let mut found = Vec::new();
    for message in old.all_messages() {
        match new.get_message_by_name(message.full_name()) {
            Some(now) => of_messages(&message, &now, &mut found),
            None => found.push(format!("{}: is gone", message.full_name())),
        }
    }
    for words in old.all_enums() {
        let now = new.get_enum_by_name(words.full_name());
        for word in words.values() {
            let same = now.as_ref().and_then(|now| now.get_value(word.number()));
            if same.is_none_or(|same| same.name() != word.name()) {
                found.push(format!("{}: is gone or another", word.full_name()));
            }
        }
    }
    for service in old.services() {
        let now = new.get_service_by_name(service.full_name());
        for method in service.methods() {
            let form = |method: &MethodDescriptor| {
                let (input, output) = (method.input(), method.output());
                let streams = (method.is_client_streaming(), method.is_server_streaming());
                format!("{} {} {streams:?}", input.full_name(), output.full_name())
            };
            let same = now.as_ref().and_then(|now| {
                let mut methods = now.methods();
                methods.find(|now| now.name() == method.name())
            });
            if same.is_none_or(|same| form(&same) != form(&method)) {
                found.push(format!("{}: is gone or another", method.full_name()));
            }
        }
    }
    found
}

/// No number of a field was changed or used again, and no message, word or method is gone.
#[test]
fn the_baseline_is_understood() {
    let (old, new) = (read(BASELINE, &FILES), read(TODAY, &FILES));
    assert!(old.all_messages().count() > 20);
    assert_eq!(differences(&old, &new), [""; 0]);
}

/// Returns what differs between two texts of one file.
fn between(old: &str, new: &str) -> Vec<String> {
    let pool = |text: &str| {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(
            folder.path().join("a.proto"),
            format!("syntax = \"proto3\"; {text}"),
        )
        .unwrap();
        read(folder.path().to_str().unwrap(), &["a.proto"])
    };
    differences(&pool(old), &pool(new))
}

/// Every kind of break is found. An addition and a reserved number are none.
#[test]
fn planted_breaks_are_found() {
    let old = "message A { uint64 a = 1; string b = 2; reserved 9; } enum E { X = 0; Y = 1; }
               service S { rpc Do(A) returns (stream A); }";
    let added = "message A { uint64 a = 1; reserved 2, 9; string c = 3; } message B {}
                 enum E { X = 0; Y = 1; Z = 2; } service S { rpc Do(A) returns (stream A); rpc More(B) returns (A); }";
    assert_eq!(between(old, added), [""; 0]);
    for (text, by, line) in [
        ("string b = 2;", "", "A 2: is gone and not reserved"),
        ("string b = 2;", "string c = 2;", "A 2: was `b "),
        ("uint64 a = 1;", "int32 a = 1;", "A 1: was `a uint64"),
        (
            "uint64 a = 1;",
            "repeated uint64 a = 1;",
            "A 1: was `a uint64",
        ),
        (
            "string b = 2;",
            "oneof u { string b = 2; }",
            "A 2: was `b string",
        ),
        ("reserved 9;", "string c = 9;", "A 9: was reserved"),
        ("Y = 1;", "Z = 1;", "Y: is gone or another"),
        (
            "returns (stream A)",
            "returns (A)",
            "S.Do: is gone or another",
        ),
        ("enum E { X = 0; Y = 1; }", "", "X: is gone or another"),
    ] {
        let found = between(old, &old.replace(text, by));
        assert!(
            found.iter().any(|found| found.starts_with(line)),
            "{line}: {found:?}"
        );
    }
}
